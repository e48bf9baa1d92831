// Sees which calls that may block or allocate a plugin makes in its run.
//
// The libraries' own tables of imported functions are led to functions that note the call and pass it on. That changes the process
// for good, so it belongs in a process that is made for it; RealtimeSanitizer sees more, but must be there.
#pragma once

#include <stdbool.h>
#include <stdint.h>

/// What kind of call it is.
enum CallKind {
    /// Gets or gives back memory.
    CallKindMemory,
    /// Waits for another thread, or may.
    CallKindLock,
    /// Asks the system: files, sleep, threads.
    CallKindSystem,
};
enum { CallKindCount = 3 };

/// Leads the calls of every library loaded by now to the watch; calls of libraries loaded later need another call of this.
void call_watch_install(void);

/// From here on the calls of this thread are counted (or no longer).
void call_watch_mark(bool isOn);

/// How many calls of a kind were counted since the start.
uint64_t call_watch_count(enum CallKind kind);

/// The name of the function of a kind that was called last; null where none was.
const char *_Nullable call_watch_last(enum CallKind kind);
