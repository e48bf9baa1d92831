#pragma once

#include "CallWatch.h"

/// Counts a call if this thread is watched.
void call_watch_note(enum CallKind kind, const char *name);

/// Returns the replacement of a function; null if the function is not watched.
void *watched_function(const char *name);
