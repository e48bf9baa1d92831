// Linux calls that Swift's own module of the C library omits.
#pragma once

#include <fcntl.h>
#include <linux/magic.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "ChildProcess.h"
#include "LoadedLibrary.h"
#include "Sandbox.h"

/// Returns whether the files of a folder are only in RAM, by the type of its file system (statfs(2)).
static inline bool linux_is_in_ram(const char *_Nonnull folder) {
    struct statfs system;
    return statfs(folder, &system) == 0 && (system.f_type == TMPFS_MAGIC || system.f_type == RAMFS_MAGIC);
}

/// Names the calling thread for process viewers; the kernel keeps 15 bytes.
static inline void linux_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

/// Starts a thread with a stack of the given size; returns 0 or an error number.
static inline int linux_start_thread(
    size_t stack_bytes, void *_Nullable (*_Nonnull body)(void *_Nullable), void *_Nullable work, pthread_t *_Nonnull thread) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, stack_bytes);
    int status = pthread_create(thread, &attributes, body, work);
    pthread_attr_destroy(&attributes);
    return status;
}

// glibc declares it for _GNU_SOURCE only.
extern int accept4(int listener, struct sockaddr *_Nullable address, socklen_t *_Nullable length, int flags);

/// Accepts a connection that no child process inherits; -1 on failure.
static inline int linux_accept(int listener) {
    return accept4(listener, NULL, NULL, SOCK_CLOEXEC);
}

// glibc declares it for _GNU_SOURCE only.
extern int pipe2(int *_Nonnull descriptors, int flags);

/// Creates a pipe that no child process inherits; -1 on failure.
static inline int linux_pipe(int *_Nonnull ends) { return pipe2(ends, O_CLOEXEC); }

// glibc declares it for _GNU_SOURCE only.
extern int pthread_timedjoin_np(pthread_t thread, void **result, const struct timespec *until);

/// Waits for the end of a thread for some seconds at most; returns false if it is still running.
static inline bool linux_join_thread(pthread_t thread, int seconds) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += seconds;
    return pthread_timedjoin_np(thread, NULL, &until) == 0;
}
