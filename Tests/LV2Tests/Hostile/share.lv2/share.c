// Plugins that attack the memory shared between their process and its host, or that hog the
// processor.

#include <errno.h>
#include <lv2/core/lv2.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Instance {
    float *in, *out, *trigger, *report;
    const char *does;
    uint32_t *share;
    size_t words;
    int isWriting;
} Instance;

static const char *const prefix = "urn:stompline-test:";
static const int shareFile = 3;

// Finds the mapping of the shared memory in this process.
static void findShare(Instance *instance) {
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[512];
    unsigned long start, end;
    while (maps && fgets(line, sizeof line, maps)) {
        if (!strstr(line, "stompline-plugin") || sscanf(line, "%lx-%lx", &start, &end) != 2) continue;
        instance->share = (uint32_t *)start;
        instance->words = (end - start) / 4;
    }
    if (maps) fclose(maps);
}

static LV2_Handle make(
    const LV2_Descriptor *descriptor, double rate, const char *path, const LV2_Feature *const *features) {
    (void)rate, (void)path, (void)features;
    Instance *instance = calloc(1, sizeof(Instance));
    instance->does = descriptor->URI + strlen(prefix);
    findShare(instance);
    return instance;
}

static void connectPort(LV2_Handle handle, uint32_t port, void *place) {
    Instance *instance = handle;
    if (port == 0) instance->in = place;
    if (port == 1) instance->out = place;
    if (port == 2) instance->trigger = place;
    if (port == 3) instance->report = place;
}

static void *writeForEver(void *context) {
    Instance *instance = context;
    uint64_t random = 88172645463325252u;
    while (1) {
        random ^= random << 13, random ^= random >> 7, random ^= random << 17;
        // Half of all writes go to the words that synchronize the two processes.
        size_t place = random & 1 ? 128 + (random >> 8) % 384 : (random >> 8) % instance->words;
        ((volatile uint32_t *)instance->share)[place] = (uint32_t)(random >> 32);
    }
    return NULL;
}

// Returns 1 if any of these changes the length of the memory, 2 if all are refused by its seals or
// the file size limit.
static float truncateShare(void) {
    const off_t lengths[] = {0, 4096, (off_t)1 << 33};
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k += 1)
        if (ftruncate(shareFile, lengths[k]) == 0 || (errno != EPERM && errno != EFBIG)) return 1;
    return 2;
}

static void run(LV2_Handle handle, uint32_t count) {
    Instance *instance = handle;
    const char *does = instance->does;
    for (uint32_t k = 0; k < count; k += 1) instance->out[k] = 2 * instance->in[k];
    if (*instance->trigger < 0.5f) return;
    if (!strcmp(does, "share-truncate")) *instance->report = truncateShare();
    if (!strcmp(does, "share-zero")) memset(instance->share, 0, instance->words * 4);
    if (!strcmp(does, "share-random") && !instance->isWriting) {
        pthread_t thread;
        instance->isWriting = pthread_create(&thread, NULL, writeForEver, instance) == 0;
    }
    if (!strcmp(does, "share-spin")) while (1) __asm__ volatile("");
}

static void cleanup(LV2_Handle handle) { free(handle); }

#define PLUGIN(NAME) {"urn:stompline-test:" NAME, make, connectPort, NULL, run, NULL, cleanup, NULL}

static const LV2_Descriptor descriptors[] = {
    PLUGIN("share-truncate"), PLUGIN("share-zero"), PLUGIN("share-random"), PLUGIN("share-spin"),
    // Hosted only by fuzz-host.c, which does not run a plugin.
    PLUGIN("fuzzed"), PLUGIN("fuzzed-positions"),
};

LV2_SYMBOL_EXPORT const LV2_Descriptor *lv2_descriptor(uint32_t index) {
    return index < sizeof descriptors / sizeof *descriptors ? &descriptors[index] : NULL;
}
