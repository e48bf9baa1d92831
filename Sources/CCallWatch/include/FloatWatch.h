// Runs a plugin with or without protection from denormals, and records how it treats the processor's
// floating-point flags.
//
// The watch belongs to the process and knows one plugin, so use it only in a process made for the
// purpose, on one thread.
#pragma once

#include <stdbool.h>
#include <stdint.h>

/// The run function of a plugin.
typedef void (*WatchedRun)(void *_Nullable handle, uint32_t frameCount);

/// The record of one run.
typedef struct FloatRun {
    /// The time of the run.
    uint64_t nanoseconds;
    /// Whether the plugin calculated with denormals.
    bool metDenormals;
    /// Whether the plugin left the protection switched off.
    bool endedUnprotected;
    /// Whether the plugin left any flag changed.
    bool changedFlags;
} FloatRun;

/// Returns whether this processor records denormals.
bool float_watch_is_possible(void);

/// Selects the function that `float_watch_run` calls.
void float_watch_select(WatchedRun _Nonnull run);

/// Sets whether the next runs begin with denormals treated as zero, and forgets the last run.
void float_watch_prepare(bool isProtected);

/// Runs the plugin in place of its own function, and restores the flags.
void float_watch_run(void *_Nullable handle, uint32_t frameCount);

/// Returns the record of the last run.
FloatRun float_watch_last(void);

/// Returns whether any sample is a denormal.
bool float_watch_has_denormals(const float *_Nonnull samples, uint64_t count);
