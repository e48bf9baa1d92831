#pragma once

#include <lilv/lilv.h>

#include "worker.h"

enum { blockFrames = 64, sampleRate = 48000, mostPorts = 256 };

/// A loaded plugin with default controls, and its audio buffers of one block each.
typedef struct Plugin {
    LilvInstance *instance;
    const LilvPlugin *description;
    int inputCount;
    int outputCount;
    float *inputs[mostPorts];
    float *outputs[mostPorts];
    int inputPorts[mostPorts];
    int eventCount;
    /// Event buffers, their sizes in bytes, and whether each is an input.
    void *events[mostPorts];
    unsigned eventBytes[mostPorts];
    int eventIsInput[mostPorts];
    Worker worker;
} Plugin;

/// Says what went wrong and ends the program.
void fail(const char *what, const char *which) __attribute__((noreturn));

/// Sets the processor to take denormal numbers for zero.
void flush_denormals(void);

/// Instantiates, connects and activates a plugin.
void plugin_load(Plugin *plugin, LilvWorld *world, const LilvPlugin *description);

/// Connects a plugin's inputs to the outputs of the one before it.
void plugin_feed(Plugin *plugin, const Plugin *before);

/// One run of one block, its event buffers made ready.
void plugin_run(Plugin *plugin);

/// One run of one block, and nothing else.
static inline void plugin_run_bare(Plugin *plugin) {
    plugin->instance->lv2_descriptor->run(plugin->instance->lv2_handle, blockFrames);
}
