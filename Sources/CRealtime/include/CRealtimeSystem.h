#pragma once

#include <malloc.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "CRealtimeAttributes.h"

/// Prefetches the first four cache lines from an address that will soon be read.
RTSAFE static inline void rt_expect(const void *_Nonnull place) {
    for (int line = 0; line < 4; line += 1) __builtin_prefetch((const char *)place + 64 * line);
}

// glibc declares this function only for _GNU_SOURCE.
extern int pthread_setattr_default_np(const pthread_attr_t *_Nonnull attributes);

/// Sets the default stack size, in bytes, of all threads created from now on that do not ask for
/// another size.
static inline void rt_limit_stacks(size_t bytes) {
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) return;
    if (pthread_attr_setstacksize(&attributes, bytes) == 0) pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
}

/// Makes the allocator map every block of at least `bytes` bytes separately and return it to the
/// system when it is freed, and trim the tops of heaps beyond twice that size.
///
/// Without this call, the allocator raises its own threshold with each freed block, up to 32 MiB.
///
/// Heaps get no padding: the allocator would cut large blocks from it as well.
static inline void rt_return_memory(int bytes) {
#if defined(M_MMAP_THRESHOLD)
    mallopt(M_MMAP_THRESHOLD, bytes);
    mallopt(M_TRIM_THRESHOLD, 2 * bytes);
    mallopt(M_TOP_PAD, 0);
#endif
}

/// Locks all current memory of the process, and if wanted all future memory, so that the callback
/// meets no page fault.
///
/// Returns false if this is not allowed, or if the memory exceeds the limit of the process.
static inline bool rt_lock_memory(bool locksFuture) {
    return mlockall(locksFuture ? MCL_CURRENT | MCL_FUTURE : MCL_CURRENT) == 0;
}

/// Whether the process may lock memory beyond its limit: it has the privilege CAP_IPC_LOCK.
///
/// Root may lack it, for example in a container.
static inline bool rt_may_lock_all_memory(void) {
    enum { version = 0x20080522, ipc_lock = 14 };
    struct { uint32_t version; int32_t process; } header = {version, 0};
    struct { uint32_t effective, permitted, inheritable; } sets[2] = {{0, 0, 0}, {0, 0, 0}};
    return syscall(SYS_capget, &header, sets) == 0 && (sets[0].effective >> ipc_lock & 1) != 0;
}

/// Allocates zeroed memory and touches every page of it.
///
/// Returns NULL if the allocation fails. Only for threads that may block.
static inline void *_Nullable rt_allocate_zeroed(size_t bytes) {
    // A larger value is not a size but a negative number.
    if (bytes > PTRDIFF_MAX) return NULL;
    void *place = malloc(bytes);
    // Without this barrier, the compiler would merge both calls into `calloc`, which leaves fresh
    // pages untouched.
    __asm__ volatile("" : "+r"(place) : : "memory");
    if (place) memset(place, 0, bytes);
    return place;
}

/// Frees memory that `rt_allocate_zeroed` returned.
static inline void rt_free(void *_Nullable place) { free(place); }
