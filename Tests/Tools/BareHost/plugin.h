#pragma once

#include <lilv-0/lilv/lilv.h>

#include "worker.h"

enum { blockFrames = 64, sampleRate = 48000, maximumPorts = 256 };

/// A loaded plugin with default controls, and its audio buffers of one block each.
typedef struct Plugin {
    LilvInstance *instance;
    const LilvPlugin *description;
    int inputCount;
    int outputCount;
    float *inputs[maximumPorts];
    float *outputs[maximumPorts];
    int inputPorts[maximumPorts];
    int eventCount;
    /// The event buffers, their sizes in bytes, and whether each is an input.
    void *events[maximumPorts];
    unsigned eventBytes[maximumPorts];
    int eventIsInput[maximumPorts];
    Worker worker;
    /// Whether the event port receives the transport position.
    int eventTakesTime[maximumPorts];
    /// Controls that receive transport values, and the designation of each.
    int timeCount;
    float *times[maximumPorts];
    const char *timeDesignations[maximumPorts];
    long framesRun;
} Plugin;

/// Prints an error and exits the program.
void fail(const char *what, const char *which) __attribute__((noreturn));

/// Makes the processor treat denormal numbers as zero.
void flush_denormals(void);

/// Instantiates, connects and activates a plugin.
void plugin_load(Plugin *plugin, LilvWorld *world, const LilvPlugin *description);

/// Connects a plugin's inputs to the outputs of the preceding plugin.
void plugin_feed(Plugin *plugin, const Plugin *before);

/// Prepares the event buffers and runs one block.
void plugin_run(Plugin *plugin);

// RealtimeSanitizer, if it is preloaded.
__attribute__((weak)) void __rtsan_realtime_enter(void);
__attribute__((weak)) void __rtsan_realtime_exit(void);

/// Runs one block without any preparation, as real-time code for the sanitizer.
static inline void plugin_run_bare(Plugin *plugin) {
    if (__rtsan_realtime_enter) __rtsan_realtime_enter();
    plugin->instance->lv2_descriptor->run(plugin->instance->lv2_handle, blockFrames);
    if (__rtsan_realtime_exit) __rtsan_realtime_exit();
}
