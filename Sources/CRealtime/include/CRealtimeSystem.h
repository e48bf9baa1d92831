#pragma once

#include <malloc.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/mman.h>

#include "CRealtimeAttributes.h"

/// Asks for the first cache lines behind a place, which will soon be read.
RTSAFE static inline void rt_expect(const void *_Nonnull place) {
    for (int line = 0; line < 4; line += 1) __builtin_prefetch((const char *)place + 64 * line);
}

// glibc declares it for _GNU_SOURCE alone.
extern int pthread_setattr_default_np(const pthread_attr_t *_Nonnull attributes);

/// Gives threads that are started from now on so much stack, in bytes, unless they ask for another size.
static inline void rt_limit_stacks(size_t bytes) {
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) return;
    if (pthread_attr_setstacksize(&attributes, bytes) == 0) pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
}

/// Has memory of so many bytes and more taken from the system piece by piece and given back as soon as it is free, and
/// ends of heaps beyond twice as much. The allocator's own bound rises with each piece that is freed, up to 32 MiB.
///
/// Nothing is taken in advance: from room at the end of a heap large pieces would be cut as well.
static inline void rt_return_memory(int bytes) {
#if defined(M_MMAP_THRESHOLD)
    mallopt(M_MMAP_THRESHOLD, bytes);
    mallopt(M_TRIM_THRESHOLD, 2 * bytes);
    mallopt(M_TOP_PAD, 0);
#endif
}

/// Locks all memory of the process, now and later, so that the callback meets no page fault. False where it is not allowed.
static inline bool rt_lock_memory(void) {
    return mlockall(MCL_CURRENT | MCL_FUTURE) == 0;
}
