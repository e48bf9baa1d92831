// Calls of Linux that Swift's own module of the C library leaves out.
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <time.h>

#include "ChildProcess.h"

/// Names the calling thread for process viewers; 15 bytes are kept.
static inline void linux_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

// glibc declares it for _GNU_SOURCE alone.
extern int pthread_timedjoin_np(pthread_t thread, void **result, const struct timespec *until);

/// Waits for a thread's end, but no longer than some seconds; false where it goes on.
static inline bool linux_join_thread(pthread_t thread, int seconds) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += seconds;
    return pthread_timedjoin_np(thread, NULL, &until) == 0;
}
