// A minimal LV2 host that runs a plugin with default controls, as a reference for this project's
// host.
//
//   bare-lv2-host URI INPUT OUTPUT    runs raw 32-bit floats, channels interleaved, through the plugin
//   bare-lv2-host URI --time COPIES   prints the nanoseconds per block for COPIES instances in series,
//                                     measured like the project's own benchmark

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "plugin.h"

enum { passes = 15, blocksAPass = 1500 };

/// Reads a whole file of floats.
static float *read_floats(const char *path, size_t *count) {
    FILE *file = fopen(path, "rb");
    if (!file) fail("cannot read", path);
    fseek(file, 0, SEEK_END);
    *count = (size_t)ftell(file) / sizeof(float);
    rewind(file);
    float *samples = calloc(*count + 1, sizeof(float));
    if (fread(samples, sizeof(float), *count, file) != *count) fail("cannot read", path);
    fclose(file);
    return samples;
}

/// Runs the file through the plugin block by block; an incomplete last block is dropped.
static void run_file(Plugin *plugin, const char *input, const char *output) {
    size_t count = 0;
    float *samples = read_floats(input, &count);
    FILE *file = fopen(output, "wb");
    if (!file) fail("cannot write", output);
    int inputs = plugin->inputCount, outputs = plugin->outputCount;
    size_t blocks = count / (size_t)(blockFrames * (inputs ? inputs : 1));
    float *block = calloc((size_t)(blockFrames * (outputs + 1)), sizeof(float));
    for (size_t b = 0; b < blocks; b += 1) {
        const float *from = samples + b * (size_t)(blockFrames * inputs);
        for (int c = 0; c < inputs; c += 1)
            for (int f = 0; f < blockFrames; f += 1) plugin->inputs[c][f] = from[f * inputs + c];
        plugin_run(plugin);
        for (int c = 0; c < outputs; c += 1)
            for (int f = 0; f < blockFrames; f += 1) block[f * outputs + c] = plugin->outputs[c][f];
        fwrite(block, sizeof(float), (size_t)(blockFrames * outputs), file);
    }
    if (fclose(file)) fail("cannot write", output);
}

static double nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/// Fills the inputs of a plugin with one block of noise, different for each call.
static void feed_noise(Plugin *plugin, unsigned *random) {
    for (int c = 0; c < plugin->inputCount; c += 1)
        for (int f = 0; f < blockFrames; f += 1) {
            *random = *random * 1664525u + 1013904223u;
            plugin->inputs[c][f] = (float)(int)*random / 4294967296.0f;
        }
}

/// Times copies in series with noise as input.
///
/// The result is the median over all blocks of each block's shortest time in several passes.
static void run_timed(LilvWorld *world, const LilvPlugin *found, int copies) {
    Plugin *chain = calloc((size_t)copies, sizeof(Plugin));
    for (int k = 0; k < copies; k += 1) {
        plugin_load(&chain[k], world, found);
        if (k > 0) plugin_feed(&chain[k], &chain[k - 1]);
    }
    double least[blocksAPass];
    for (int p = 0; p < passes; p += 1) {
        unsigned random = 1;
        for (int b = 0; b < blocksAPass; b += 1) {
            feed_noise(&chain[0], &random);
            double start = nanoseconds();
            for (int k = 0; k < copies; k += 1) plugin_run_bare(&chain[k]);
            double time = nanoseconds() - start;
            if (p == 0 || time < least[b]) least[b] = time;
        }
    }
    qsort(least, blocksAPass, sizeof(double), compare);
    printf("%.1f\n", least[blocksAPass / 2]);
}

int main(int argumentCount, char **arguments) {
    if (argumentCount != 4) fail("usage:", "bare-lv2-host URI INPUT OUTPUT | URI --time COPIES");
    LilvWorld *world = lilv_world_new();
    lilv_world_load_all(world);
    LilvNode *uri = lilv_new_uri(world, arguments[1]);
    const LilvPlugin *found = lilv_plugins_get_by_uri(lilv_world_get_all_plugins(world), uri);
    if (!found) fail("not installed:", arguments[1]);
    flush_denormals();
    if (strcmp(arguments[2], "--time") == 0) {
        run_timed(world, found, atoi(arguments[3]));
        return 0;
    }
    Plugin plugin;
    plugin_load(&plugin, world, found);
    run_file(&plugin, arguments[2], arguments[3]);
    return 0;
}
