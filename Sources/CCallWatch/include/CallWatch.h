// Records the calls of a plugin's run that may block or allocate.
//
// The import tables of all loaded libraries are redirected to functions that record the call and
// forward it. This changes the process permanently, so use it only in a process made for the
// purpose. RealtimeSanitizer detects more, but the toolchain must provide it.
#pragma once

#include <stdbool.h>
#include <stdint.h>

/// The kinds of calls.
enum CallKind {
    /// Allocates or frees memory.
    CallKindMemory,
    /// Waits, or may wait, for another thread.
    CallKindLock,
    /// Calls the system: files, sleep, threads.
    CallKindSystem,
};
enum { CallKindCount = 3 };

/// Redirects the calls of all libraries loaded so far.
///
/// Call it again after more libraries are loaded.
void call_watch_install(void);

/// Starts or stops counting the calls of this thread.
void call_watch_mark(bool isOn);

/// Returns the number of calls of a kind that were counted in this process.
uint64_t call_watch_count(enum CallKind kind);

/// Returns the name of the function of a kind that was called last; null if there was no call.
const char *_Nullable call_watch_last(enum CallKind kind);
