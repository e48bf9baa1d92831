#define _GNU_SOURCE
#include "SandboxTrap.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

/// The memory for refusals, and the last argument of a repeated call.
static struct linux_sandbox_refusals *_Nullable linux_sandbox_trap_refusals = NULL;
static uint64_t linux_sandbox_trap_marker = 0;

/// The bit of SIGSYS in the kernel's set of signals.
static const uint64_t linux_sandbox_trap_bit = 1ull << (SIGSYS - 1);

/// The arguments of a trapped call; none of the calls that are repeated has more than five.
struct linux_sandbox_trap_call {
    long number;
    long arguments[5];
};

#if defined(__x86_64__)
static void linux_sandbox_trap_read(
    const ucontext_t *_Nonnull context, struct linux_sandbox_trap_call *_Nonnull call) {
    static const int registers[5] = {REG_RDI, REG_RSI, REG_RDX, REG_R10, REG_R8};
    for (int place = 0; place < 5; place += 1)
        call->arguments[place] = (long)context->uc_mcontext.gregs[registers[place]];
}

static void linux_sandbox_trap_return(ucontext_t *_Nonnull context, long result) {
    context->uc_mcontext.gregs[REG_RAX] = result;
}
#elif defined(__aarch64__)
static void linux_sandbox_trap_read(
    const ucontext_t *_Nonnull context, struct linux_sandbox_trap_call *_Nonnull call) {
    for (int place = 0; place < 5; place += 1) call->arguments[place] = (long)context->uc_mcontext.regs[place];
}

static void linux_sandbox_trap_return(ucontext_t *_Nonnull context, long result) {
    context->uc_mcontext.regs[0] = (unsigned long)result;
}
#else
// These architectures have no filter, so no call is trapped.
static void linux_sandbox_trap_read(
    const ucontext_t *_Nonnull context, struct linux_sandbox_trap_call *_Nonnull call) {
    (void)context, (void)call;
}

static void linux_sandbox_trap_return(ucontext_t *_Nonnull context, long result) { (void)context, (void)result; }
#endif

/// Repeats a call with the marker; returns its result, or the negative error number.
static long linux_sandbox_trap_repeat(const struct linux_sandbox_trap_call *_Nonnull call) {
    const long *with = call->arguments;
    long result =
        syscall(call->number, with[0], with[1], with[2], with[3], with[4], (long)linux_sandbox_trap_marker);
    return result == -1 ? -errno : result;
}

/// An access to a file by path.
struct linux_sandbox_trap_access {
    /// A `linux_sandbox_action`; 0 if the call accesses no file.
    uint32_t action;
    /// The rights of the file system that the access needs on the file itself: R_OK, W_OK or 0.
    int rights;
    /// The folder in which a relative path starts.
    int folder;
    const char *_Nonnull path;
    /// The file that is moved or linked; NULL for other calls.
    const char *_Nullable source;
    int sourceFolder;
};

/// Returns the access of an open, given its flags.
static struct linux_sandbox_trap_access linux_sandbox_trap_open(int folder, long path, long flags) {
    int mode = (int)flags & O_ACCMODE;
    bool writes = mode != O_RDONLY || flags & (O_CREAT | O_TRUNC);
    return (struct linux_sandbox_trap_access){
        .action = writes ? linux_sandbox_writes : linux_sandbox_reads,
        .rights = (mode == O_WRONLY ? 0 : R_OK) | (writes ? W_OK : 0),
        .folder = folder,
        .path = (const char *)path,
    };
}

/// Returns an access that changes the folder of a file.
static struct linux_sandbox_trap_access linux_sandbox_trap_change(uint32_t action, long folder, long path) {
    return (struct linux_sandbox_trap_access){
        .action = action, .folder = (int)folder, .path = (const char *)path};
}

/// Returns an access that moves or links a file.
static struct linux_sandbox_trap_access linux_sandbox_trap_move(
    uint32_t action, long fromFolder, long from, long toFolder, long to) {
    struct linux_sandbox_trap_access access = linux_sandbox_trap_change(action, toFolder, to);
    access.sourceFolder = (int)fromFolder;
    access.source = (const char *)from;
    return access;
}

/// Returns the access to a file that a call makes.
static struct linux_sandbox_trap_access linux_sandbox_trap_describe(
    const struct linux_sandbox_trap_call *_Nonnull call) {
    const long *with = call->arguments;
    switch (call->number) {
    case SYS_openat: return linux_sandbox_trap_open((int)with[0], with[1], with[2]);
    case SYS_truncate: return linux_sandbox_trap_open(AT_FDCWD, with[0], O_WRONLY);
    case SYS_mkdirat: return linux_sandbox_trap_change(linux_sandbox_writes, with[0], with[1]);
    case SYS_symlinkat: return linux_sandbox_trap_change(linux_sandbox_writes, with[1], with[2]);
    case SYS_unlinkat: return linux_sandbox_trap_change(linux_sandbox_removes, with[0], with[1]);
    case SYS_linkat: return linux_sandbox_trap_move(linux_sandbox_writes, with[0], with[1], with[2], with[3]);
#if defined(SYS_renameat)
    case SYS_renameat:
#endif
    case SYS_renameat2: return linux_sandbox_trap_move(linux_sandbox_moves, with[0], with[1], with[2], with[3]);
#if defined(__x86_64__)
    case SYS_open: return linux_sandbox_trap_open(AT_FDCWD, with[0], with[1]);
    case SYS_creat: return linux_sandbox_trap_open(AT_FDCWD, with[0], O_WRONLY | O_CREAT | O_TRUNC);
    case SYS_mkdir: return linux_sandbox_trap_change(linux_sandbox_writes, AT_FDCWD, with[0]);
    case SYS_symlink: return linux_sandbox_trap_change(linux_sandbox_writes, AT_FDCWD, with[1]);
    case SYS_unlink:
    case SYS_rmdir: return linux_sandbox_trap_change(linux_sandbox_removes, AT_FDCWD, with[0]);
    case SYS_link: return linux_sandbox_trap_move(linux_sandbox_writes, AT_FDCWD, with[0], AT_FDCWD, with[1]);
    case SYS_rename: return linux_sandbox_trap_move(linux_sandbox_moves, AT_FDCWD, with[0], AT_FDCWD, with[1]);
#endif
    default: return (struct linux_sandbox_trap_access){.action = 0, .path = ""};
    }
}

/// Writes the path of the folder of a path; false if it is too long.
static bool linux_sandbox_trap_parent(const char *_Nonnull path, char *_Nonnull parent, size_t bytes) {
    size_t length = strnlen(path, bytes);
    if (length == bytes) return false;
    while (length > 1 && path[length - 1] == '/') length -= 1;
    while (length > 0 && path[length - 1] != '/') length -= 1;
    if (length == 0) {
        strcpy(parent, ".");
    } else {
        memcpy(parent, path, length);
        parent[length] = 0;
    }
    return true;
}

/// Returns whether the file system itself permits some rights; Landlock does not restrict this
/// question.
static bool linux_sandbox_trap_permits(int folder, const char *_Nonnull path, int rights) {
    return faccessat(folder, path, rights, AT_EACCESS) == 0;
}

/// Returns whether the sandbox, and not the file system, is the reason for an error.
///
/// A process of root has given up its privileges in the sandbox, so there the sandbox is the reason
/// for every refusal.
static bool linux_sandbox_trap_blames_sandbox(
    const struct linux_sandbox_trap_access *_Nonnull access, long error) {
    char parent[512];
    if (error == -EXDEV && access->source) {
        // Files cannot be moved or linked to another device in any case.
        struct stat from, to;
        return linux_sandbox_trap_parent(access->path, parent, sizeof parent)
               && fstatat(access->sourceFolder, access->source, &from, AT_SYMLINK_NOFOLLOW) == 0
               && fstatat(access->folder, parent, &to, 0) == 0 && from.st_dev == to.st_dev;
    }
    if (error != -EACCES) return false;
    if (geteuid() == 0) return true;
    if (access->rights != 0) {
        if (linux_sandbox_trap_permits(access->folder, access->path, access->rights)) return true;
        if (errno != ENOENT) return false;
    }
    return !linux_sandbox_trap_parent(access->path, parent, sizeof parent)
           || linux_sandbox_trap_permits(access->folder, parent, W_OK | X_OK);
}

/// Repeats a call that accesses a file, and records it if the sandbox refuses it.
static long linux_sandbox_trap_try(
    const struct linux_sandbox_trap_call *_Nonnull call, const struct linux_sandbox_trap_access *_Nonnull access) {
    long result = linux_sandbox_trap_repeat(call);
    // The kernel has read the path, so it can be read here.
    if ((result == -EACCES || result == -EXDEV) && linux_sandbox_trap_blames_sandbox(access, result))
        linux_sandbox_record_file(linux_sandbox_trap_refusals, access->action, access->folder, access->path);
    return result;
}

/// Repeats a change of the thread's signal mask, but leaves SIGSYS unblocked.
///
/// The kernel ends a process if a call is trapped while that signal is blocked.
static long linux_sandbox_trap_mask(
    const struct linux_sandbox_trap_call *_Nonnull call, ucontext_t *_Nonnull context) {
    long result = linux_sandbox_trap_repeat(call);
    uint64_t mask = 0;
    if (result == 0 && syscall(SYS_rt_sigprocmask, SIG_SETMASK, NULL, &mask, sizeof mask) == 0) {
        // The thread gets this mask when the handler returns.
        mask &= ~linux_sandbox_trap_bit;
        memcpy(&context->uc_sigmask, &mask, sizeof mask);
    }
    return result;
}

/// Repeats the installation of a signal handler, but does not let it block SIGSYS while it runs.
static long linux_sandbox_trap_action(const struct linux_sandbox_trap_call *_Nonnull call) {
    long result = linux_sandbox_trap_repeat(call);
    // The kernel's own structure.
    struct {
        uint64_t handler, flags, restorer, mask;
    } action;
    if (result == 0 && syscall(SYS_rt_sigaction, call->arguments[0], NULL, &action, sizeof action.mask) == 0
        && action.mask & linux_sandbox_trap_bit) {
        action.mask &= ~linux_sandbox_trap_bit;
        struct linux_sandbox_trap_call again = {
            SYS_rt_sigaction, {call->arguments[0], (long)&action, 0, sizeof action.mask, 0}};
        linux_sandbox_trap_repeat(&again);
    }
    return result;
}

/// Handles a trapped call: repeats it, or records it and makes it fail with EPERM.
static void linux_sandbox_trap(int signal, siginfo_t *_Nonnull information, void *_Nonnull place) {
    (void)signal;
    // 1 is SYS_SECCOMP; a process can also send itself the signal.
    if (information->si_code != 1) return;
    int before = errno;
    ucontext_t *context = place;
    struct linux_sandbox_trap_call call = {.number = information->si_syscall};
    linux_sandbox_trap_read(context, &call);
    struct linux_sandbox_trap_access access = linux_sandbox_trap_describe(&call);
    long result = -EPERM;
    if (access.action != 0) {
        result = linux_sandbox_trap_try(&call, &access);
    } else if (call.number == SYS_rt_sigprocmask) {
        result = linux_sandbox_trap_mask(&call, context);
    } else if (call.number == SYS_rt_sigaction) {
        result = linux_sandbox_trap_action(&call);
    } else {
        linux_sandbox_record_call(linux_sandbox_trap_refusals, call.number);
    }
    linux_sandbox_trap_return(context, result);
    errno = before;
}

void linux_sandbox_handle_traps(struct linux_sandbox_refusals *_Nonnull refusals, uint64_t marker) {
    linux_sandbox_trap_refusals = refusals;
    linux_sandbox_trap_marker = marker;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = linux_sandbox_trap;
    action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART;
    sigaction(SIGSYS, &action, NULL);
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGSYS);
    sigprocmask(SIG_UNBLOCK, &signals, NULL);
}
