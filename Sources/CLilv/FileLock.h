// A lock on a file, whose function has the name of a struct in Swift.
#pragma once

#include <stdbool.h>
#include <sys/file.h>

/// Locks a file for as long as its descriptor is open; false where another process has it locked.
static inline bool file_lock(int file) { return flock(file, LOCK_EX | LOCK_NB) == 0; }
