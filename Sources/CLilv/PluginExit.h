// Calls of a plugin's functions that return even if the plugin calls `exit`.
//
// The program defines its own `exit` and `_exit` (Sources/CCallWatch/PluginExit.c). Its libraries
// find these before the functions of the C library. During a call through this header, they leave
// the plugin's function with `longjmp` instead of ending the program.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifndef PLUGIN_RTSAFE
#define PLUGIN_RTSAFE __attribute__((swift_attr("@_noLocks")))
#endif

/// Whether and where a plugin instance called `exit`. After that, none of its functions is called.
typedef struct PluginExit {
    /// Not 0 after the instance called `exit`; written last.
    uint32_t hasLeft;
    /// The exit status that it passed.
    int32_t status;
    /// The kind of function in which it did, as a number that the caller defines.
    int32_t kind;
} PluginExit;

/// The arguments of a call of a plugin's function.
typedef struct PluginArguments {
    void *_Nullable handle;
    uint32_t number;
    const void *_Nullable first;
    const void *_Nullable second;
    const void *_Nullable third;
} PluginArguments;

/// Has a body call a plugin's function, and returns even if that calls `exit`.
///
/// After such an exit, it does nothing.
PLUGIN_RTSAFE void plugin_guard(
    PluginExit *_Nonnull record, int32_t kind, void (*_Nonnull body)(void *_Nonnull function, PluginArguments *_Nonnull),
    void *_Nonnull function, PluginArguments *_Nonnull arguments);

/// Returns whether the instance has called `exit`. Any thread may call it.
PLUGIN_RTSAFE static inline bool plugin_has_left(const PluginExit *_Nonnull record) {
    return __atomic_load_n(&record->hasLeft, __ATOMIC_ACQUIRE) != 0;
}

/// From now on, a plugin's `exit` ends this process, which exists only for the plugin.
void plugin_exit_ends_process(void);

/// From now on, a library's `exit` outside `plugin_guard` does not end the process.
///
/// The calling thread is held forever, and a line on standard error reports it. On the main thread,
/// the process ends with the given status.
void plugin_exit_hold_threads(int mainThreadStatus);

/// Reports the plugin whose function the calling thread is in, as a line on standard error.
///
/// Does nothing if the thread is in no plugin, and in a process that exists only for plugins. It
/// calls only functions that the handler of a crash may call.
void plugin_report_crash(void);
