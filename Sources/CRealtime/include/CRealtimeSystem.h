#pragma once

#include <stdbool.h>
#include <sys/mman.h>

/// Locks all memory of the process, now and later, so that the callback meets no page fault. False where it is not allowed.
static inline bool rt_lock_memory(void) {
    return mlockall(MCL_CURRENT | MCL_FUTURE) == 0;
}
