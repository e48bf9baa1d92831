// A child process for a plugin: calls that Swift cannot make, or that the C library's headers
// declare for GNU sources only.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern int memfd_create(const char *name, unsigned flags);
extern long syscall(long number, ...);

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

/// Starts a program; returns its process ID, or -1 on failure.
///
/// The child gets the shared memory as descriptor 3, an empty standard input, and no other
/// descriptor except standard error. The plugin's standard output goes to standard error. The child
/// has its own process group, so that a terminal's Ctrl-C does not end it before the fade-out.
static inline pid_t plugin_child_start(
    const char *_Nonnull path, char *_Nullable const *_Nonnull arguments,
    char *_Nullable const *_Nonnull environment, int share) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    if (posix_spawn_file_actions_init(&actions) != 0) return -1;
    if (posix_spawnattr_init(&attributes) != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return -1;
    }
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    posix_spawn_file_actions_adddup2(&actions, share, plugin_child_share);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
    posix_spawn_file_actions_addclosefrom_np(&actions, plugin_child_share + 1);
    pid_t child = -1;
    if (posix_spawn(&child, path, &actions, &attributes, arguments, environment) != 0) child = -1;
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return child;
}

/// Closes all descriptors from a number on in a program that is started.
static inline void plugin_child_close_from(posix_spawn_file_actions_t *_Nonnull actions, int first) {
    posix_spawn_file_actions_addclosefrom_np(actions, first);
}

/// Has the kernel kill this process when the thread that started it ends.
///
/// Returns false if that thread has already ended.
static inline bool plugin_child_tie(pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    return getppid() == parent;
}

/// Returns a descriptor that becomes readable when a child ends; -1 if the kernel has none.
static inline int plugin_child_watch(pid_t child) {
#if defined(SYS_pidfd_open)
    return (int)syscall(SYS_pidfd_open, child, 0);
#else
    return -1;
#endif
}

/// Sleeps until one of two descriptors is readable or the time is over.
static inline void plugin_child_sleep(int first, int second, int milliseconds) {
    struct pollfd files[2] = {{first, POLLIN, 0}, {second, POLLIN, 0}};
    poll(files, 2, milliseconds);
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
