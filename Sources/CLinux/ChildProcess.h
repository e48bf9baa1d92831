// Starting a program as a child that reads nothing and whose words are read: Swift can call neither vfork nor prctl.
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

// Debian 12's libc has these, though only for _GNU_SOURCE, with which Swift's own module of the C library disagrees.
extern int close_range(unsigned first, unsigned last, int flags);
extern int pipe2(int *_Nonnull descriptors, int flags);
extern pid_t vfork(void);

/// What the thread that starts children is asked for, and what came of it.
struct linux_child_order {
    const char *_Nonnull const *_Nonnull arguments;
    int output;
    int errors;
    pid_t child;
    int reason;
};

/// One order at a time, for a thread that never ends: a child is told of the end of the thread that started it, so
/// whoever asks for one may be gone before it.
static struct linux_child_starter {
    pthread_mutex_t turn;
    sem_t wanted;
    sem_t done;
    bool isRunning;
    struct linux_child_order *_Nullable order;
} linux_child_starter = {.turn = PTHREAD_MUTEX_INITIALIZER};

/// Between vfork and exec, in memory that is still the parent's: nothing but system calls.
static inline void linux_child_become(
    const struct linux_child_order *_Nonnull order, pid_t parent, int *_Nonnull reason) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(0);
    // Off the places that they come to, where the parent has those closed.
    int output = fcntl(order->output, F_DUPFD, 3);
    int errors = order->errors >= 0 ? fcntl(order->errors, F_DUPFD, 3) : -1;
    int nowhere = open("/dev/null", O_RDWR);
    dup2(nowhere, 0);
    dup2(output, 1);
    dup2(errors >= 0 ? errors : nowhere, 2);
    close_range(3, ~0u, 0);
    struct sigaction standard = {.sa_handler = SIG_DFL};
    for (int number = 1; number < NSIG; number += 1) sigaction(number, &standard, NULL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execvp(order->arguments[0], (char *const *)order->arguments);
    *reason = errno;
    _exit(127);
}

/// vfork, since fork would make every page of the audio thread's memory fault at its next write.
static inline void linux_child_carry_out(struct linux_child_order *_Nonnull order) {
    pid_t parent = getpid();
    volatile int reason = 0;
    pid_t child = vfork();
    if (child == 0) linux_child_become(order, parent, (int *)&reason);
    order->child = child;
    order->reason = child < 0 ? errno : reason;
}

static inline void *_Nullable linux_child_thread(void *_Nullable unused) {
    (void)unused;
    while (true) {
        while (sem_wait(&linux_child_starter.wanted) != 0) {}
        linux_child_carry_out(linux_child_starter.order);
        sem_post(&linux_child_starter.done);
    }
    return NULL;
}

/// Starts the thread, with all signals blocked: a handler in a child would run in the parent's memory.
static inline bool linux_child_starter_run(void) {
    if (linux_child_starter.isRunning) return true;
    sem_init(&linux_child_starter.wanted, 0, 0);
    sem_init(&linux_child_starter.done, 0, 0);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, 64 << 10);
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    int reason = pthread_create(&thread, &attributes, linux_child_thread, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    linux_child_starter.isRunning = reason == 0;
    return reason == 0;
}

static inline void linux_child_hand_over(struct linux_child_order *_Nonnull order) {
    pthread_mutex_lock(&linux_child_starter.turn);
    if (linux_child_starter_run()) {
        linux_child_starter.order = order;
        sem_post(&linux_child_starter.wanted);
        while (sem_wait(&linux_child_starter.done) != 0) {}
    } else {
        order->reason = EAGAIN;
    }
    pthread_mutex_unlock(&linux_child_starter.turn);
}

/// Waits for the end of a child; its status as `waitpid` has it, or -1.
static inline int linux_await_child(pid_t child) {
    int status = -1;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) return -1;
    }
    return status;
}

/// Ends a child, and waits until it is gone; its status as `waitpid` has it, or -1.
static inline int linux_end_child(pid_t child) {
    kill(child, SIGKILL);
    return linux_await_child(child);
}

static inline void linux_close_pair(const int *_Nonnull pair) {
    if (pair[0] >= 0) close(pair[0]);
    if (pair[1] >= 0) close(pair[1]);
}

/// Starts a program, which is looked for in PATH, and gives the ends at which its output and its errors are read.
///
/// It reads nothing, has none of our descriptors, no signals blocked or ignored, and a process group of its own, so that
/// a terminal's Ctrl-C reaches only us. It is killed when this process ends, however that comes about, and does not mind
/// the end of the calling thread. Without a place for its errors, they are lost. Arguments end with NULL. Whoever starts
/// it closes the ends and calls `linux_end_child` or `linux_await_child`. Returns its process id, or -1 with the reason
/// in errno.
static inline pid_t linux_start_child(
    const char *_Nullable const *_Nonnull arguments, int *_Nonnull readOutput,
    int *_Nullable readErrors) {
    int output[2] = {-1, -1}, errors[2] = {-1, -1};
    if (pipe2(output, O_CLOEXEC) != 0) return -1;
    if (readErrors && pipe2(errors, O_CLOEXEC) != 0) {
        int reason = errno;
        linux_close_pair(output);
        errno = reason;
        return -1;
    }
    struct linux_child_order order = {
        (const char *_Nonnull const *)arguments, output[1], errors[1], -1, 0};
    linux_child_hand_over(&order);
    if (order.reason != 0) {
        if (order.child > 0) linux_await_child(order.child);
        linux_close_pair(output);
        linux_close_pair(errors);
        errno = order.reason;
        return -1;
    }
    close(output[1]);
    *readOutput = output[0];
    if (readErrors) {
        close(errors[1]);
        *readErrors = errors[0];
    }
    return order.child;
}
