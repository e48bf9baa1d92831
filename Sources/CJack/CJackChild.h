// Starts a JACK server as a child process: Swift can call neither fork nor prctl.
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <unistd.h>

// The libc of Debian 12 has this function, but declares it only for _GNU_SOURCE.
extern int close_range(unsigned first, unsigned last, int flags);

/// Prepares the child between fork and exec, and executes the program; does not return.
///
/// Makes only calls that are allowed after a fork in a program with threads.
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
    // The child would keep other open descriptors alive: the reader of another thread's pipe, for
    // example, would never see its end.
    close_range(3, ~0u, 0);
    execve(path, arguments, environment);
    _exit(127);
}

/// Starts a program without terminal output, in a separate process group, so that a Ctrl-C in the
/// terminal reaches only the parent process.
///
/// The kernel sends SIGTERM to the child when the calling thread ends, for whatever reason. Returns
/// the child's process id, or -1 if it cannot be started.
static inline pid_t child_start(
    const char *_Nonnull path, char *_Nullable const *_Nonnull arguments,
    char *_Nullable const *_Nonnull environment) {
    pid_t parent = getpid();
    pid_t child = fork();
    if (child == 0) child_become(parent, path, arguments, environment);
    return child;
}
