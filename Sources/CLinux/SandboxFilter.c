#define _GNU_SOURCE
#include "SandboxFilter.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "SandboxCalls.h"

#if defined(LINUX_SANDBOX_HAS_CALLS) && defined(__x86_64__)
#define LINUX_SANDBOX_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(LINUX_SANDBOX_HAS_CALLS)
#define LINUX_SANDBOX_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#if defined(LINUX_SANDBOX_ARCHITECTURE)
static void linux_sandbox_add(
    struct linux_sandbox_filter *_Nonnull filter, unsigned short code, uint32_t value, unsigned char ifTrue,
    unsigned char ifFalse) {
    filter->lines[filter->count] = (struct sock_filter){code, ifTrue, ifFalse, value};
    filter->count += 1;
}

static void linux_sandbox_load(struct linux_sandbox_filter *_Nonnull filter, size_t offset) {
    linux_sandbox_add(filter, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

/// Loads the lower half of an argument; both architectures are little-endian.
static void linux_sandbox_load_argument(struct linux_sandbox_filter *_Nonnull filter, int argument) {
    linux_sandbox_load(filter, offsetof(struct seccomp_data, args) + 8 * (size_t)argument);
}

static void linux_sandbox_return(struct linux_sandbox_filter *_Nonnull filter, uint32_t action) {
    linux_sandbox_add(filter, BPF_RET | BPF_K, action, 0, 0);
}

/// Returns an action if the loaded value equals a given one.
static void linux_sandbox_return_if(
    struct linux_sandbox_filter *_Nonnull filter, uint32_t value, uint32_t action) {
    linux_sandbox_add(filter, BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
    linux_sandbox_return(filter, action);
}

/// Begins the instructions for one call, after its number was loaded.
///
/// Pass the result to `linux_sandbox_end`.
static unsigned short linux_sandbox_begin(struct linux_sandbox_filter *_Nonnull filter, uint32_t number) {
    linux_sandbox_add(filter, BPF_JMP | BPF_JEQ | BPF_K, number, 0, 0);
    return filter->count;
}

/// Ends the instructions for one call.
///
/// The filter continues here for other calls, so the instructions before must all have returned.
static void linux_sandbox_end(struct linux_sandbox_filter *_Nonnull filter, unsigned short begin) {
    filter->lines[begin - 1].jf = (unsigned char)(filter->count - begin);
}

static void linux_sandbox_add_list(
    struct linux_sandbox_filter *_Nonnull filter, const unsigned short *_Nonnull numbers, size_t bytes,
    uint32_t action) {
    for (size_t place = 0; place < bytes / sizeof *numbers; place += 1)
        linux_sandbox_return_if(filter, numbers[place], action);
}

/// Allows a call if an argument is one of some values; otherwise returns another action.
static void linux_sandbox_add_choice(
    struct linux_sandbox_filter *_Nonnull filter, uint32_t number, int argument, const uint32_t *_Nonnull values,
    size_t bytes, uint32_t otherwise) {
    unsigned short begin = linux_sandbox_begin(filter, number);
    linux_sandbox_load_argument(filter, argument);
    for (size_t place = 0; place < bytes / sizeof *values; place += 1)
        linux_sandbox_return_if(filter, values[place], SECCOMP_RET_ALLOW);
    linux_sandbox_return(filter, otherwise);
    linux_sandbox_end(filter, begin);
}

/// Allows `clone` for threads; refuses new processes and namespaces.
static void linux_sandbox_add_clone(struct linux_sandbox_filter *_Nonnull filter, uint32_t refusal) {
    // CLONE_THREAD, and the namespaces: mount, cgroup, host name, IPC, user, process, network.
    const uint32_t thread = 0x10000;
    const uint32_t spaces = 0x20000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000;
    unsigned short begin = linux_sandbox_begin(filter, __NR_clone);
    linux_sandbox_load_argument(filter, 0);
    linux_sandbox_add(filter, BPF_ALU | BPF_AND | BPF_K, spaces | thread, 0, 0);
    linux_sandbox_return_if(filter, thread, SECCOMP_RET_ALLOW);
    linux_sandbox_return(filter, refusal);
    linux_sandbox_end(filter, begin);
}

/// Restricts calls on a process or a thread to this process and to threads started after it.
static void linux_sandbox_add_targets(
    struct linux_sandbox_filter *_Nonnull filter, const struct linux_sandbox_rules *_Nonnull rules, uint32_t refusal) {
    const uint32_t own[] = {0, (uint32_t)rules->process};
    for (size_t place = 0; place < sizeof linux_sandbox_own / sizeof *linux_sandbox_own; place += 1) {
        // `kill` with 0 means the process group, which is the child's own.
        linux_sandbox_add_choice(filter, linux_sandbox_own[place], 0, own, sizeof own, refusal);
    }
    for (size_t place = 0; place < sizeof linux_sandbox_younger / sizeof *linux_sandbox_younger; place += 1) {
        unsigned short begin = linux_sandbox_begin(filter, linux_sandbox_younger[place]);
        linux_sandbox_load_argument(filter, 0);
        linux_sandbox_return_if(filter, 0, SECCOMP_RET_ALLOW);
        linux_sandbox_add(filter, BPF_JMP | BPF_JGE | BPF_K, (uint32_t)rules->process, 0, 1);
        linux_sandbox_return(filter, SECCOMP_RET_ALLOW);
        linux_sandbox_return(filter, refusal);
        linux_sandbox_end(filter, begin);
    }
}

/// Allows names, timer slack and queries, but no change of the tie to the parent or of privileges.
static void linux_sandbox_add_process_control(struct linux_sandbox_filter *_Nonnull filter) {
    const uint32_t options[] = {
        PR_SET_NAME,     PR_GET_NAME,     PR_GET_DUMPABLE,       PR_GET_PDEATHSIG, PR_GET_KEEPCAPS,
        PR_CAPBSET_READ, PR_GET_SECCOMP,  PR_GET_NO_NEW_PRIVS,   PR_SET_TIMERSLACK, PR_GET_TIMERSLACK,
        PR_GET_TID_ADDRESS, PR_SET_THP_DISABLE, PR_GET_THP_DISABLE,
        // PR_SET_VMA: allocators use it to name their memory.
        0x53564d41,
    };
    linux_sandbox_add_choice(filter, __NR_prctl, 0, options, sizeof options, SECCOMP_RET_ERRNO | EPERM);
    // No request that inserts input into the terminal to which standard error may lead.
    const uint32_t requests[] = {TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIOCLEX, FIONCLEX};
    linux_sandbox_add_choice(filter, __NR_ioctl, 1, requests, sizeof requests, SECCOMP_RET_ERRNO | ENOTTY);
}

/// Ends the instructions for one call that the handler repeats: allows it with the marker, and
/// traps it without.
static void linux_sandbox_trap_unless_marked(
    struct linux_sandbox_filter *_Nonnull filter, const struct linux_sandbox_rules *_Nonnull rules) {
    linux_sandbox_load_argument(filter, 5);
    linux_sandbox_add(filter, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)rules->marker, 0, 3);
    linux_sandbox_load(filter, offsetof(struct seccomp_data, args) + 8 * 5 + 4);
    linux_sandbox_add(filter, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(rules->marker >> 32), 0, 1);
    linux_sandbox_return(filter, SECCOMP_RET_ALLOW);
    linux_sandbox_return(filter, SECCOMP_RET_TRAP);
}

/// Allows a call if a pointer among its arguments is NULL.
static void linux_sandbox_allow_without(struct linux_sandbox_filter *_Nonnull filter, int argument) {
    linux_sandbox_load_argument(filter, argument);
    linux_sandbox_add(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 3);
    linux_sandbox_load(filter, offsetof(struct seccomp_data, args) + 8 * (size_t)argument + 4);
    linux_sandbox_add(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1);
    linux_sandbox_return(filter, SECCOMP_RET_ALLOW);
}

/// Allows the calls that access files by path; if they are reported, the handler repeats them.
static void linux_sandbox_add_by_path(
    struct linux_sandbox_filter *_Nonnull filter, const struct linux_sandbox_rules *_Nonnull rules) {
    if (!rules->reportsFiles || rules->marker == 0) {
        linux_sandbox_add_list(filter, linux_sandbox_by_path, sizeof linux_sandbox_by_path, SECCOMP_RET_ALLOW);
        return;
    }
    for (size_t place = 0; place < sizeof linux_sandbox_by_path / sizeof *linux_sandbox_by_path; place += 1) {
        unsigned short begin = linux_sandbox_begin(filter, linux_sandbox_by_path[place]);
        linux_sandbox_trap_unless_marked(filter, rules);
        linux_sandbox_end(filter, begin);
    }
}

/// Protects the SIGSYS handler, so that refused calls are reported.
///
/// If the process has one, the handler repeats changes of masks and handlers without SIGSYS in
/// their sets of signals. The kernel would end a process whose call is trapped while that signal is
/// blocked.
static void linux_sandbox_add_signals(
    struct linux_sandbox_filter *_Nonnull filter, const struct linux_sandbox_rules *_Nonnull rules) {
    bool repeats = rules->reports && rules->marker != 0;
    unsigned short begin = linux_sandbox_begin(filter, __NR_rt_sigaction);
    if (repeats) linux_sandbox_allow_without(filter, 1);
    linux_sandbox_load_argument(filter, 0);
    linux_sandbox_return_if(filter, SIGSYS, SECCOMP_RET_ERRNO | EPERM);
    if (repeats) {
        linux_sandbox_trap_unless_marked(filter, rules);
    } else {
        linux_sandbox_return(filter, SECCOMP_RET_ALLOW);
    }
    linux_sandbox_end(filter, begin);
    begin = linux_sandbox_begin(filter, __NR_rt_sigprocmask);
    if (repeats) {
        linux_sandbox_allow_without(filter, 1);
        linux_sandbox_load_argument(filter, 0);
        linux_sandbox_return_if(filter, SIG_UNBLOCK, SECCOMP_RET_ALLOW);
        linux_sandbox_trap_unless_marked(filter, rules);
    } else {
        linux_sandbox_return(filter, SECCOMP_RET_ALLOW);
    }
    linux_sandbox_end(filter, begin);
}

/// Allows IP connections and queries about the machine's own addresses.
///
/// Local sockets are not allowed: services behind them could do more for the child than it may do
/// itself.
static void linux_sandbox_add_network(struct linux_sandbox_filter *_Nonnull filter) {
    const uint32_t families[] = {AF_INET, AF_INET6, AF_NETLINK};
    linux_sandbox_add_choice(filter, __NR_socket, 0, families, sizeof families, SECCOMP_RET_ERRNO | EAFNOSUPPORT);
    linux_sandbox_add_list(filter, linux_sandbox_network, sizeof linux_sandbox_network, SECCOMP_RET_ALLOW);
}

/// Allows `execve` with the one permitted path.
///
/// The address is random and unknown to the started program, so that program cannot start another
/// one.
static void linux_sandbox_add_start(struct linux_sandbox_filter *_Nonnull filter, uint64_t address) {
    unsigned short begin = linux_sandbox_begin(filter, __NR_execve);
    linux_sandbox_load_argument(filter, 0);
    linux_sandbox_add(filter, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)address, 0, 3);
    linux_sandbox_load(filter, offsetof(struct seccomp_data, args) + 4);
    linux_sandbox_add(filter, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(address >> 32), 0, 1);
    linux_sandbox_return(filter, SECCOMP_RET_ALLOW);
    linux_sandbox_return(filter, SECCOMP_RET_KILL_PROCESS);
    linux_sandbox_end(filter, begin);
}

#endif

void linux_sandbox_make_filter(
    struct linux_sandbox_filter *_Nonnull filter, const struct linux_sandbox_rules *_Nonnull rules) {
    filter->count = 0;
#if defined(LINUX_SANDBOX_ARCHITECTURE)
    const uint32_t refusal = rules->reports ? SECCOMP_RET_TRAP : SECCOMP_RET_ERRNO | EPERM;
    linux_sandbox_load(filter, offsetof(struct seccomp_data, arch));
    linux_sandbox_add(filter, BPF_JMP | BPF_JEQ | BPF_K, LINUX_SANDBOX_ARCHITECTURE, 1, 0);
    linux_sandbox_return(filter, SECCOMP_RET_KILL_PROCESS);
    linux_sandbox_load(filter, offsetof(struct seccomp_data, nr));
    linux_sandbox_add_list(filter, linux_sandbox_allowed, sizeof linux_sandbox_allowed, SECCOMP_RET_ALLOW);
    linux_sandbox_add_by_path(filter, rules);
    linux_sandbox_add_list(filter, linux_sandbox_unknown, sizeof linux_sandbox_unknown, SECCOMP_RET_ERRNO | ENOSYS);
    linux_sandbox_add_clone(filter, refusal);
    linux_sandbox_add_targets(filter, rules, refusal);
    linux_sandbox_add_process_control(filter);
    linux_sandbox_add_signals(filter, rules);
    if (rules->mayUseNetwork) linux_sandbox_add_network(filter);
    if (rules->programAddress != 0) linux_sandbox_add_start(filter, rules->programAddress);
    // Calls that are newer than this list, and those of other call tables (x32): libraries have a
    // fallback.
    linux_sandbox_add(filter, BPF_JMP | BPF_JGE | BPF_K, 424, 0, 1);
    linux_sandbox_return(filter, SECCOMP_RET_ERRNO | ENOSYS);
    linux_sandbox_return(filter, refusal);
#else
    (void)rules;
#endif
}

bool linux_sandbox_apply_filter(struct linux_sandbox_filter *_Nonnull filter, bool forAllThreads) {
    if (filter->count == 0) return false;
    struct sock_fprog program = {filter->count, filter->lines};
    // 4: SECCOMP_FILTER_FLAG_SPEC_ALLOW. Without it, plugins run slower on processors with
    // speculative store bypass.
    unsigned long flags = forAllThreads ? SECCOMP_FILTER_FLAG_TSYNC | 4 : 4;
    return syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program) == 0;
}

const char *_Nullable linux_sandbox_name(unsigned number) {
#if defined(LINUX_SANDBOX_HAS_CALLS)
    for (size_t place = 0; place < sizeof linux_sandbox_names / sizeof *linux_sandbox_names; place += 1)
        if (linux_sandbox_names[place].number == number) return linux_sandbox_names[place].name;
#else
    (void)number;
#endif
    return NULL;
}
