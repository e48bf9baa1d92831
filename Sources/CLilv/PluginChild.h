// The child process of a plugin: calls that it makes itself, and its shared memory. Swift cannot
// make these calls, or the C library's headers declare them for GNU sources only.
#pragma once

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

extern int memfd_create(const char *name, unsigned flags);

/// The file descriptor of the shared memory in the child process.
static const int plugin_child_share = 3;

/// Creates memory that can be shared; returns its file descriptor, or -1.
///
/// Its size is sealed. Otherwise any process with the descriptor could truncate it, and then a read
/// beyond the new end would kill the reading process with SIGBUS.
static inline int plugin_share_open(size_t bytes) {
    // 1: MFD_CLOEXEC, 2: MFD_ALLOW_SEALING.
    int file = memfd_create("stompline-plugin", 1 | 2);
    if (file < 0) return -1;
    // 1033: F_ADD_SEALS; 1, 2, 4: F_SEAL_SEAL, F_SEAL_SHRINK, F_SEAL_GROW.
    if (ftruncate(file, (off_t)bytes) == 0 && fcntl(file, 1033, 1 | 2 | 4) == 0) return file;
    close(file);
    return -1;
}

/// Has the kernel kill this process when the thread that started it ends.
///
/// Returns false if that thread has already ended.
static inline bool plugin_child_tie(pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    return getppid() == parent;
}

/// Limits how long a real-time thread of this process may run without sleeping, in microseconds.
///
/// Beyond the limit, SIGXCPU ends the process. SIGKILL follows after half the limit again.
static inline void plugin_child_limit(uint64_t microseconds) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_RTTIME, &limit) != 0) return;
    rlim_t hard = (rlim_t)(microseconds + microseconds / 2);
    if (hard < limit.rlim_max) limit.rlim_max = hard;
    if (microseconds < limit.rlim_cur) limit.rlim_cur = (rlim_t)microseconds;
    if (limit.rlim_cur > limit.rlim_max) limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_RTTIME, &limit);
}

/// Gives the calling thread a real-time priority just below the audio thread's priority.
///
/// The audio thread must be able to run while this one does. Threads that this one starts do not
/// inherit the priority. Returns false if the process lacks the right.
static inline bool plugin_child_hurry(int priority) {
    struct sched_param parameters = {.sched_priority = priority > 1 ? priority - 1 : 1};
    // 0x40000000: SCHED_RESET_ON_FORK.
    return sched_setscheduler(0, SCHED_FIFO | 0x40000000, &parameters) == 0;
}
