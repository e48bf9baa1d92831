#pragma once

#include "CallWatch.h"

/// Counts a call of this thread, where it is watched.
void call_watch_note(enum CallKind kind, const char *name);

/// What stands in for a function; null for one that is not watched.
void *watched_function(const char *name);
