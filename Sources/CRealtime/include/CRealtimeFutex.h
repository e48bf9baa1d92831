// Waits for other processes and threads and wakes them, with as few system calls as possible.
#pragma once

#include <errno.h>
#include <linux/futex.h>
#include <semaphore.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "CRealtimeAttributes.h"

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

// glibc declares this function only for _GNU_SOURCE.
extern long syscall(long number, ...);

// RealtimeSanitizer's switches, which exist only if its runtime is preloaded.
__attribute__((weak)) void __rtsan_disable(void);
__attribute__((weak)) void __rtsan_enable(void);

/// Sleeps while a word in shared memory has a value, at most for a time in nanoseconds.
///
/// The time limit keeps the wait bounded.
///
/// This is the only system call that may wait on the audio thread: for a node with
/// `"isolate": "same-cycle"`, whose plugin runs in another process meanwhile, and for a worker of the
/// engine that has begun a task. It is therefore hidden from RealtimeSanitizer.
RTSAFE static inline void rt_wait_while(
    const void *_Nonnull word, uint32_t value, uint64_t nanoseconds) {
    struct timespec time = {
        .tv_sec = (time_t)(nanoseconds / 1000000000u), .tv_nsec = (long)(nanoseconds % 1000000000u)};
    int before = errno;
    if (__rtsan_disable) __rtsan_disable();
    syscall(SYS_futex, word, FUTEX_WAIT, value, &time, (void *)0, 0);
    if (__rtsan_enable) __rtsan_enable();
    errno = before;
}

/// Wakes the thread that sleeps in `rt_wait_while` on a word.
///
/// It is as bounded as `sem_post` and, like that, hidden from RealtimeSanitizer.
RTSAFE static inline void rt_wake(const void *_Nonnull word) {
    int before = errno;
    if (__rtsan_disable) __rtsan_disable();
    syscall(SYS_futex, word, FUTEX_WAKE, 1, (void *)0, (void *)0, 0);
    if (__rtsan_enable) __rtsan_enable();
    errno = before;
}

/// Sleeps while a word of this process has a value, at most for a time in nanoseconds; 0 means no
/// limit.
///
/// Only for threads that nothing waits for, such as a worker of the engine without a task. It is
/// hidden from RealtimeSanitizer.
RTSAFE static inline void rt_sleep_while(
    const void *_Nonnull word, uint32_t value, uint64_t nanoseconds) {
    struct timespec time = {
        .tv_sec = (time_t)(nanoseconds / 1000000000u), .tv_nsec = (long)(nanoseconds % 1000000000u)};
    int before = errno;
    if (__rtsan_disable) __rtsan_disable();
    syscall(
        SYS_futex, word, FUTEX_WAIT_PRIVATE, value, nanoseconds > 0 ? &time : (void *)0, (void *)0,
        0);
    if (__rtsan_enable) __rtsan_enable();
    errno = before;
}

/// Wakes at most `count` threads that sleep in `rt_sleep_while` on a word.
///
/// Bounded: 2 to 10 µs per sleeping thread, depending on the machine.
RTSAFE static inline void rt_wake_sleepers(const void *_Nonnull word, int32_t count) {
    int before = errno;
    if (__rtsan_disable) __rtsan_disable();
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, (void *)0, (void *)0, 0);
    if (__rtsan_enable) __rtsan_enable();
    errno = before;
}

/// Lets the processor's other hardware thread run while this one waits for a value in a loop.
RTSAFE static inline void rt_pause(void) {
#if defined(__x86_64__)
    _mm_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

// glibc declares this function only for _GNU_SOURCE.
extern int sem_clockwait(
    sem_t *_Nonnull semaphore, clockid_t clock, const struct timespec *_Nonnull time);

/// Waits for a semaphore until a time of the monotonic clock, which cannot be set.
///
/// Not for the audio thread.
static inline void rt_wait_for_ring(void *_Nonnull semaphore, uint64_t nanoseconds) {
    struct timespec time = {
        .tv_sec = (time_t)(nanoseconds / 1000000000u), .tv_nsec = (long)(nanoseconds % 1000000000u)};
    while (sem_clockwait((sem_t *)semaphore, CLOCK_MONOTONIC, &time) != 0 && errno == EINTR) {}
}

/// Wakes the thread that waits for a semaphore (`sem_t`).
///
/// Bounded: 2.4 µs if a thread is waiting.
RTSAFE static inline void rt_ring(void *_Nonnull semaphore) { sem_post((sem_t *)semaphore); }
