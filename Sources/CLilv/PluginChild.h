// A process for a plugin: calls that Swift cannot make, or that the C library's headers show to GNU sources only.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern int memfd_create(const char *name, unsigned flags);
extern long syscall(long number, ...);

/// The file descriptor under which the process finds the shared memory.
static const int plugin_child_share = 3;

/// Memory that can be shared; its file descriptor, or -1.
static inline int plugin_share_open(size_t bytes) {
    // 1: MFD_CLOEXEC.
    int file = memfd_create("stompline-plugin", 1);
    if (file < 0) return -1;
    if (ftruncate(file, (off_t)bytes) == 0) return file;
    close(file);
    return -1;
}

/// Starts a program with the shared memory as descriptor 3 and no other but standard error; -1 where it cannot.
///
/// What the plugin prints on standard output goes to standard error. It is in a process group of its own, so that a
/// terminal's Ctrl-C does not end it before the fade out.
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

/// Ties this process to the life of the thread that started it; false where that is gone already.
static inline bool plugin_child_tie(pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    return getppid() == parent;
}

/// A descriptor that becomes readable when a child ends; -1 on a kernel without.
static inline int plugin_child_watch(pid_t child) {
#if defined(SYS_pidfd_open)
    return (int)syscall(SYS_pidfd_open, child, 0);
#else
    return -1;
#endif
}

/// Sleeps until one of two descriptors is readable, at most so long.
static inline void plugin_child_sleep(int first, int second, int milliseconds) {
    struct pollfd files[2] = {{first, POLLIN, 0}, {second, POLLIN, 0}};
    poll(files, 2, milliseconds);
}

/// The priority just below the audio thread's own, which has to go on while this one plays.
///
/// Gives the calling thread a real-time priority that threads started by it do not inherit; false where it may not.
static inline bool plugin_child_hurry(int priority) {
    struct sched_param parameters = {.sched_priority = priority > 1 ? priority - 1 : 1};
    // 0x40000000: SCHED_RESET_ON_FORK.
    return sched_setscheduler(0, SCHED_FIFO | 0x40000000, &parameters) == 0;
}
