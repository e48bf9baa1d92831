#pragma once

#include <errno.h>
#include <semaphore.h>
#include <stdbool.h>
#include <sys/mman.h>

#include "CRealtimeAttributes.h"

/// Wakes a thread that waits on the semaphore. No system call where none waits.
RTSAFE static inline void rt_signal(sem_t *_Nonnull semaphore) {
    sem_post(semaphore);
}

/// Asks for the first cache lines behind a place, which will soon be read.
RTSAFE static inline void rt_expect(const void *_Nonnull place) {
    for (int line = 0; line < 4; line += 1) __builtin_prefetch((const char *)place + 64 * line);
}

/// Locks all memory of the process, now and later, so that the callback meets no page fault. False where it is not allowed.
static inline bool rt_lock_memory(void) {
    return mlockall(MCL_CURRENT | MCL_FUTURE) == 0;
}
