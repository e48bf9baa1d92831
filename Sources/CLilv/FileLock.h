// A lock on a file. The C function `flock` has the same name as a struct, which hides it in Swift.
#pragma once

#include <stdbool.h>
#include <sys/file.h>

/// Locks a file until its descriptor is closed; returns false if another process holds the lock.
static inline bool file_lock(int file) { return flock(file, LOCK_EX | LOCK_NB) == 0; }
