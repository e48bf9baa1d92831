#define _GNU_SOURCE
#include "ChildProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ChildSandbox.h"

/// A request to the thread that starts children, and its result.
struct linux_child_job {
    const char *_Nonnull program;
    const char *_Nullable const *_Nonnull arguments;
    const char *_Nullable const *_Nonnull variables;
    const int *_Nonnull descriptors;
    int endSignal;
    struct linux_child_sandbox *_Nullable sandbox;
    char *_Nullable *_Nullable environment;
    pid_t child;
    int reason;
};

/// The thread that starts children, and the one request that it carries out at a time.
///
/// The thread never ends. The kernel sends a child its signal when the thread that started it ends,
/// so a requesting thread, which may end before the child, must not start it.
static struct {
    pthread_mutex_t turn;
    sem_t wanted;
    sem_t done;
    bool isRunning;
    struct linux_child_job *_Nullable job;
} linux_child_starter = {.turn = PTHREAD_MUTEX_INITIALIZER};

/// Returns whether a variable such as `http_proxy` or `no_proxy` redirects connections.
static bool linux_child_is_proxy(const char *_Nonnull variable) {
    const char *end = strchr(variable, '=');
    return end && end - variable >= 6 && strncasecmp(end - 6, "_proxy", 6) == 0;
}

/// Returns the environment of a child; a sandboxed one gets no variables that redirect connections.
///
/// The caller frees the result. NULL if there is no memory left.
static char *_Nullable *_Nullable linux_child_environment(const struct linux_child_job *_Nonnull job) {
    size_t count = 0, keptCount = 0;
    while (environ && environ[count]) count += 1;
    for (size_t index = 0; job->variables[index]; index += 1) count += 1;
    char **kept = malloc((count + 1) * sizeof *kept);
    if (!kept) return NULL;
    for (size_t index = 0; environ && environ[index]; index += 1)
        if (!job->sandbox || !linux_child_is_proxy(environ[index])) kept[keptCount++] = environ[index];
    for (size_t index = 0; job->variables[index]; index += 1)
        kept[keptCount++] = (char *)job->variables[index];
    kept[keptCount] = NULL;
    return kept;
}

/// Gives the child its descriptors and closes all others; returns the descriptor of the ruleset for
/// files, or -1.
///
/// It ends the child if there are no free descriptors. Otherwise the program would write to the
/// parent's output, and run without rules for files.
static int linux_child_arrange_descriptors(
    const struct linux_child_job *_Nonnull job, volatile int *_Nonnull reason) {
    // First move all descriptors away from the numbers that the child gets.
    enum { firstFree = linux_child_descriptor_count + 1 };
    int moved[linux_child_descriptor_count], rules = -1;
    int nowhere = open("/dev/null", O_RDWR);
    bool isMoved = nowhere >= 0;
    for (int place = 0; place < linux_child_descriptor_count; place += 1) {
        bool isGiven = job->descriptors[place] >= 0;
        moved[place] = -1;
        if (!isMoved || (!isGiven && place > STDERR_FILENO)) continue;
        moved[place] = fcntl(isGiven ? job->descriptors[place] : nowhere, F_DUPFD, firstFree);
        isMoved = moved[place] >= 0;
    }
    if (isMoved && job->sandbox && job->sandbox->files >= 0) {
        rules = fcntl(job->sandbox->files, F_DUPFD, firstFree);
        isMoved = rules >= 0;
    }
    if (!isMoved) {
        *reason = errno;
        _exit(127);
    }
    int next = 0;
    for (; next < linux_child_descriptor_count && moved[next] >= 0; next += 1) dup2(moved[next], next);
    // The ruleset stays open until it is applied; the started program does not inherit it.
    int files = rules >= 0 ? dup2(rules, next) : -1;
    close_range(files >= 0 ? next + 1 : next, ~0u, 0);
    if (files >= 0) fcntl(files, F_SETFD, FD_CLOEXEC);
    return files;
}

/// Turns the child into the program, between vfork and exec.
///
/// The child still uses the parent's memory. It only makes system calls and writes to memory that
/// was prepared for it.
static void linux_child_become(
    const struct linux_child_job *_Nonnull job, pid_t parent, volatile int *_Nonnull reason) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, job->endSignal);
    if (getppid() != parent) _exit(0);
    int files = linux_child_arrange_descriptors(job, reason);
    // The kernel's own structure in zeros is the default action. The C library refuses to change the
    // two signals that it uses itself, but a parent can ignore them too.
    static const uint64_t standard[8];
    for (int number = 1; number < NSIG; number += 1)
        syscall(SYS_rt_sigaction, number, standard, NULL, (NSIG - 1) / 8);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (job->sandbox) linux_child_sandbox_apply(job->sandbox, files);
    const char *program = job->sandbox ? job->sandbox->program : job->program;
    execve(program, (char *const *)job->arguments, job->environment);
    *reason = errno;
    _exit(127);
}

/// Starts a child with vfork.
///
/// After fork, each page of the audio thread's memory would fault at its next write.
static void linux_child_carry_out(struct linux_child_job *_Nonnull job) {
    pid_t parent = getpid();
    volatile int reason = 0;
    job->environment = linux_child_environment(job);
    if (!job->environment) {
        job->reason = ENOMEM;
        return;
    }
    pid_t child = vfork();
    if (child == 0) linux_child_become(job, parent, &reason);
    job->child = child;
    job->reason = child < 0 ? errno : reason;
    free(job->environment);
}

static void *_Nullable linux_child_thread(void *_Nullable unused) {
    (void)unused;
    while (true) {
        while (sem_wait(&linux_child_starter.wanted) != 0) {}
        linux_child_carry_out(linux_child_starter.job);
        sem_post(&linux_child_starter.done);
    }
    return NULL;
}

/// Starts the thread with all signals blocked.
///
/// A signal handler in a child would run in the parent's memory.
static bool linux_child_starter_run(void) {
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

static void linux_child_hand_over(struct linux_child_job *_Nonnull job) {
    pthread_mutex_lock(&linux_child_starter.turn);
    if (linux_child_starter_run()) {
        linux_child_starter.job = job;
        sem_post(&linux_child_starter.wanted);
        while (sem_wait(&linux_child_starter.done) != 0) {}
    } else {
        job->reason = EAGAIN;
    }
    pthread_mutex_unlock(&linux_child_starter.turn);
}

bool linux_child_find(const char *_Nonnull name, char *_Nonnull path, size_t bytes) {
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

pid_t linux_child_start(
    const char *_Nonnull program, const char *_Nullable const *_Nonnull arguments,
    const char *_Nullable const *_Nonnull variables, const int *_Nonnull descriptors, int endSignal,
    const struct linux_child_permissions *_Nullable permissions) {
    char path[4096];
    if (!linux_child_find(program, path, sizeof path)) return -1;
    struct linux_child_job job = {
        .program = path,
        .arguments = arguments,
        .variables = variables,
        .descriptors = descriptors,
        .endSignal = endSignal,
        .child = -1,
    };
    if (permissions) {
        job.sandbox = linux_child_sandbox_make(path, permissions);
        if (!job.sandbox) return -1;
    }
    linux_child_hand_over(&job);
    if (job.sandbox) linux_child_sandbox_free(job.sandbox);
    if (job.reason == 0) return job.child;
    if (job.child > 0)
        while (waitpid(job.child, NULL, 0) < 0 && errno == EINTR) {}
    errno = job.reason;
    return -1;
}

int linux_child_watch(pid_t child) {
#if defined(SYS_pidfd_open)
    return (int)syscall(SYS_pidfd_open, child, 0);
#else
    return -1;
#endif
}
