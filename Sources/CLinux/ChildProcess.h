// Starts a program as a child process without input, whose output is read: Swift can call neither
// vfork nor prctl.
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <strings.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "SandboxFiles.h"
#include "SandboxFilter.h"
#include "SandboxLimits.h"

// Debian 12's libc has these, but only for _GNU_SOURCE, which conflicts with Swift's own module of
// the C library.
extern int close_range(unsigned first, unsigned last, int flags);
extern int pipe2(int *_Nonnull descriptors, int flags);
extern pid_t vfork(void);
extern char *_Nullable *_Nonnull environ;

/// The permissions of a child in addition to the files that every program reads.
struct linux_child_permissions {
    /// The one additional file that it may read; NULL for no file.
    const char *_Nullable file;
    /// Whether it may connect to other machines.
    bool mayUseNetwork;
};

/// The sandbox of a child, prepared before the start.
///
/// Between vfork and exec nothing can be allocated.
struct linux_child_sandbox {
    /// Memory at a random address, its size, and the program's path at a random offset in it.
    char *_Nonnull memory;
    size_t memoryBytes;
    char *_Nonnull program;
    /// The ruleset for files; -1 if the kernel does not support it.
    int files;
    bool mayUseNetwork;
    struct linux_sandbox_limits limits;
    struct linux_sandbox_filter filter;
};

/// A request to the thread that starts children, and its result.
struct linux_child_order {
    const char *_Nonnull const *_Nonnull arguments;
    struct linux_child_sandbox *_Nonnull sandbox;
    int output;
    int errors;
    pid_t child;
    int reason;
    char *_Nullable *_Nullable environment;
};

/// Returns the environment without the variables that redirect connections.
///
/// These are `http_proxy`, `no_proxy` and similar ones. The caller frees the result. NULL if there
/// is no memory left.
static inline char *_Nullable *_Nullable linux_child_environment(void) {
    size_t count = 0;
    while (environ && environ[count]) count += 1;
    char **kept = malloc((count + 1) * sizeof *kept);
    if (!kept) return NULL;
    size_t keptCount = 0;
    for (size_t index = 0; index < count; index += 1) {
        const char *end = strchr(environ[index], '=');
        bool isProxy = end && end - environ[index] >= 6 && strncasecmp(end - 6, "_proxy", 6) == 0;
        if (!isProxy) kept[keptCount++] = environ[index];
    }
    kept[keptCount] = NULL;
    return kept;
}

/// The thread that starts children, and the one request that it carries out at a time.
///
/// The thread never ends. The kernel kills a child when the thread that started it ends, so a
/// requesting thread, which may end before the child, must not start it.
static struct linux_child_starter {
    pthread_mutex_t turn;
    sem_t wanted;
    sem_t done;
    bool isRunning;
    struct linux_child_order *_Nullable order;
} linux_child_starter = {.turn = PTHREAD_MUTEX_INITIALIZER};

/// The niceness of a child.
static const int linux_child_niceness = 5;

/// Applies the sandbox; parts that this kernel does not support are left out.
static inline void linux_child_restrict(struct linux_child_sandbox *_Nonnull sandbox, int files) {
    struct linux_sandbox_rules rules = {
        .process = getpid(),
        .mayUseNetwork = sandbox->mayUseNetwork,
        .programAddress = (uint64_t)(uintptr_t)sandbox->program,
    };
    linux_sandbox_make_filter(&sandbox->filter, &rules);
    linux_sandbox_offer_to_end();
    setpriority(PRIO_PROCESS, 0, linux_child_niceness);
    linux_sandbox_apply_limits(&sandbox->limits);
    linux_sandbox_give_up_privileges();
    linux_sandbox_files_apply(files);
    linux_sandbox_apply_filter(&sandbox->filter, false);
}

/// Turns the child into the program, between vfork and exec.
///
/// The child still uses the parent's memory. It only makes system calls and writes to memory that
/// was prepared for it.
static inline void linux_child_become(
    const struct linux_child_order *_Nonnull order, pid_t parent, int *_Nonnull reason) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(0);
    // Move the descriptors away from 0 to 2, in case the parent has closed those.
    int output = fcntl(order->output, F_DUPFD, 3);
    int errors = order->errors >= 0 ? fcntl(order->errors, F_DUPFD, 3) : -1;
    int rules = order->sandbox->files >= 0 ? fcntl(order->sandbox->files, F_DUPFD, 3) : -1;
    int nowhere = open("/dev/null", O_RDWR);
    // Without free descriptors the program would write to the parent's output, and run without rules for files.
    if (output < 0 || nowhere < 0 || (order->errors >= 0 && errors < 0) || (order->sandbox->files >= 0 && rules < 0)) {
        *reason = errno;
        _exit(127);
    }
    dup2(nowhere, 0);
    dup2(output, 1);
    dup2(errors >= 0 ? errors : nowhere, 2);
    // The ruleset stays open until it is applied; the started program does not inherit it.
    int files = rules >= 0 ? dup2(rules, 3) : -1;
    close_range(files >= 0 ? 4 : 3, ~0u, 0);
    if (files >= 0) fcntl(files, F_SETFD, FD_CLOEXEC);
    struct sigaction standard = {.sa_handler = SIG_DFL};
    for (int number = 1; number < NSIG; number += 1) sigaction(number, &standard, NULL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    linux_child_restrict(order->sandbox, files);
    execve(order->sandbox->program, (char *const *)order->arguments, order->environment);
    *reason = errno;
    _exit(127);
}

/// Starts a child with vfork.
///
/// After fork, each page of the audio thread's memory would fault at its next write.
static inline void linux_child_carry_out(struct linux_child_order *_Nonnull order) {
    pid_t parent = getpid();
    volatile int reason = 0;
    order->environment = linux_child_environment();
    if (!order->environment) {
        order->reason = ENOMEM;
        return;
    }
    pid_t child = vfork();
    if (child == 0) linux_child_become(order, parent, (int *)&reason);
    order->child = child;
    order->reason = child < 0 ? errno : reason;
    free(order->environment);
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

/// Starts the thread with all signals blocked.
///
/// A signal handler in a child would run in the parent's memory.
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

/// Waits for the end of a child; returns its status as from `waitpid`, or -1.
static inline int linux_await_child(pid_t child) {
    int status = -1;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) return -1;
    }
    return status;
}

/// Waits for the end of a child for a limited time, in milliseconds.
///
/// Returns false if the child still runs; otherwise true with its status as `waitpid` reports it, or -1.
static inline bool linux_await_child_for(pid_t child, int milliseconds, int *_Nonnull status) {
    for (int waited = 0; waited <= milliseconds; waited += 5) {
        *status = -1;
        pid_t ended = waitpid(child, status, WNOHANG);
        if (ended != 0 && !(ended < 0 && errno == EINTR)) return true;
        struct timespec pause = {.tv_nsec = 5 * 1000 * 1000};
        nanosleep(&pause, NULL);
    }
    return false;
}

/// Kills a child and waits for its end; returns its status as from `waitpid`, or -1.
static inline int linux_end_child(pid_t child) {
    kill(child, SIGKILL);
    return linux_await_child(child);
}

static inline void linux_close_pair(const int *_Nonnull pair) {
    if (pair[0] >= 0) close(pair[0]);
    if (pair[1] >= 0) close(pair[1]);
}

/// Finds a program in PATH, or uses its path unchanged.
///
/// Returns false, with the reason in errno, on failure.
static inline bool linux_child_find(const char *_Nonnull name, char *_Nonnull path, size_t bytes) {
    const char *list = strchr(name, '/') ? "" : getenv("PATH");
    if (!list) list = "/usr/local/bin:/usr/bin:/bin";
    int reason = ENOENT;
    while (true) {
        size_t length = strcspn(list, ":");
        if (length + strlen(name) + 2 <= bytes) {
            memcpy(path, list, length);
            if (length > 0) path[length] = '/';
            strcpy(path + (length > 0 ? length + 1 : 0), name);
            struct stat status;
            if (stat(path, &status) == 0 && S_ISREG(status.st_mode)) {
                if (access(path, X_OK) == 0) return true;
                reason = errno;
            }
        }
        if (list[length] == 0) break;
        list += length + 1;
    }
    errno = reason;
    return false;
}

/// Allocates one or more pages at an address that cannot be guessed; NULL on failure.
static inline char *_Nullable linux_child_secret_memory(size_t bytes) {
    for (int attempt = 0; attempt < 64; attempt += 1) {
        uint64_t random = 0;
        if (getrandom(&random, sizeof random, 0) != sizeof random) return NULL;
#if defined(__x86_64__)
        uintptr_t address = (uintptr_t)(random & 0x3ffffffff000ull);
#else
        // Below the end of the smallest address space, aligned to the largest page size.
        uintptr_t address = (uintptr_t)(random & 0x3fffff0000ull);
#endif
        // 0x100000: MAP_FIXED_NOREPLACE.
        void *memory = mmap(
            (void *)address, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | 0x100000, -1, 0);
        if (memory == (void *)address) return memory;
        if (memory != MAP_FAILED) munmap(memory, bytes);
    }
    return NULL;
}

/// Allows the start of a program, of the loader, and the use of the libraries next to the program.
static inline void linux_child_allow_program(int rules, const char *_Nonnull path) {
    linux_sandbox_files_allow(rules, path, linux_sandbox_read | linux_sandbox_start);
    linux_sandbox_files_allow(rules, "/lib64/ld-linux-x86-64.so.2", linux_sandbox_read | linux_sandbox_start);
    linux_sandbox_files_allow(rules, "/lib/ld-linux-aarch64.so.1", linux_sandbox_read | linux_sandbox_start);
    linux_sandbox_files_allow_list(rules, getenv("LD_LIBRARY_PATH"));
    char *real = realpath(path, NULL);
    char *end = real ? strrchr(real, '/') : NULL;
    if (end && (size_t)(end - real) + 8 < 4096) {
        char libraries[4096];
        memcpy(libraries, real, (size_t)(end - real));
        strcpy(libraries + (end - real), "/../lib");
        linux_sandbox_files_allow(rules, libraries, linux_sandbox_read);
    }
    free(real);
}

/// Creates the sandbox of a program that is found in PATH.
///
/// Returns NULL, with the reason in errno, on failure.
static inline struct linux_child_sandbox *_Nullable linux_child_sandbox_make(
    const char *_Nonnull name, const struct linux_child_permissions *_Nonnull permissions) {
    enum { pathBytes = 4096 };
    char path[pathBytes];
    if (!linux_child_find(name, path, sizeof path)) return NULL;
    struct linux_child_sandbox *sandbox = calloc(1, sizeof *sandbox);
    const size_t memoryBytes = 1 << 16;
    char *memory = linux_child_secret_memory(memoryBytes);
    uint16_t offset = 0;
    if (!sandbox || !memory || getrandom(&offset, sizeof offset, 0) != sizeof offset) {
        if (memory) munmap(memory, memoryBytes);
        free(sandbox);
        errno = ENOMEM;
        return NULL;
    }
    sandbox->memory = memory;
    sandbox->memoryBytes = memoryBytes;
    sandbox->program = memory + (offset & 0x7ff0);
    strcpy(sandbox->program, path);
    sandbox->mayUseNetwork = permissions->mayUseNetwork;
    // The child writes only to pipes.
    sandbox->limits = (struct linux_sandbox_limits){.memoryBytes = 1ull << 30, .fileBytes = 0, .files = 64};
    sandbox->files = linux_sandbox_files_begin(permissions->mayUseNetwork);
    if (sandbox->files >= 0) {
        linux_sandbox_files_allow_system(sandbox->files, permissions->mayUseNetwork);
        linux_child_allow_program(sandbox->files, path);
        if (permissions->file) linux_sandbox_files_allow(sandbox->files, permissions->file, linux_sandbox_read);
    }
    return sandbox;
}

static inline void linux_child_sandbox_free(struct linux_child_sandbox *_Nonnull sandbox) {
    munmap(sandbox->memory, sandbox->memoryBytes);
    if (sandbox->files >= 0) close(sandbox->files);
    free(sandbox);
}

static inline pid_t linux_start_child_in(
    const char *_Nullable const *_Nonnull arguments, struct linux_child_sandbox *_Nonnull sandbox,
    int *_Nonnull readOutput, int *_Nullable readErrors) {
    int output[2] = {-1, -1}, errors[2] = {-1, -1};
    if (pipe2(output, O_CLOEXEC) != 0) return -1;
    if (readErrors && pipe2(errors, O_CLOEXEC) != 0) {
        int reason = errno;
        linux_close_pair(output);
        errno = reason;
        return -1;
    }
    struct linux_child_order order = {
        .arguments = (const char *_Nonnull const *_Nonnull)arguments,
        .sandbox = sandbox,
        .output = output[1],
        .errors = errors[1],
        .child = -1,
    };
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

/// Starts a program that is found in PATH, and returns the read ends of its output and error pipes.
///
/// The child runs in a sandbox. It has no privileges and cannot start another program. It can read
/// the files that every program reads and those it is permitted to read, and it can write only to
/// its pipes. On a kernel without Landlock it could read more files, and on an architecture without
/// a filter it could make more system calls.
///
/// Its standard input is empty. It inherits no descriptors and no blocked or ignored signals. It
/// has its own process group, so that a terminal's Ctrl-C reaches only the parent. The kernel kills
/// it when the parent process ends for any reason, but not when the calling thread ends.
///
/// `arguments` ends with NULL. If `readErrors` is NULL, the child's error output is discarded. The
/// caller closes the read ends and calls `linux_end_child` or `linux_await_child`. Returns the
/// child's process ID, or -1 with the reason in errno.
static inline pid_t linux_start_child(
    const char *_Nullable const *_Nonnull arguments,
    const struct linux_child_permissions *_Nonnull permissions, int *_Nonnull readOutput,
    int *_Nullable readErrors) {
    struct linux_child_sandbox *sandbox = linux_child_sandbox_make(arguments[0], permissions);
    if (!sandbox) return -1;
    pid_t child = linux_start_child_in(arguments, sandbox, readOutput, readErrors);
    int reason = errno;
    linux_child_sandbox_free(sandbox);
    errno = reason;
    return child;
}
