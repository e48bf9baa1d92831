// Starting a JACK server as a child: Swift can call neither fork nor prctl.
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <unistd.h>

// Debian 12's libc has it, though only for _GNU_SOURCE.
extern int close_range(unsigned first, unsigned last, int flags);

/// Between fork and exec: only calls that are allowed after a fork of a program with threads.
static inline void child_become(
    pid_t parent, const char *_Nonnull path, char *_Nullable const *_Nonnull arguments,
    char *_Nullable const *_Nonnull environment) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(0);
    int nowhere = open("/dev/null", O_RDWR);
    if (nowhere >= 0) {
        dup2(nowhere, 0);
        dup2(nowhere, 1);
        dup2(nowhere, 2);
    }
    // The server outlives what else is open here: another thread's pipe would never come to its end.
    close_range(3, ~0u, 0);
    execve(path, arguments, environment);
    _exit(127);
}

/// Starts a program, silent and in a process group of its own (so that a terminal's Ctrl-C reaches only us).
///
/// It is sent SIGTERM when the calling thread ends, however that comes about. Returns its process id, or -1.
static inline pid_t child_start(
    const char *_Nonnull path, char *_Nullable const *_Nonnull arguments,
    char *_Nullable const *_Nonnull environment) {
    pid_t parent = getpid();
    pid_t child = fork();
    if (child == 0) child_become(parent, path, arguments, environment);
    return child;
}
