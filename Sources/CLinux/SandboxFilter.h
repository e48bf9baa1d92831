// The system call filter of a sandboxed child: a program for the kernel's packet filter, built
// without a library.
#pragma once

#include <linux/filter.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/// A filter program.
struct linux_sandbox_filter {
    unsigned short count;
    struct sock_filter lines[1024];
};

/// The parameters of a filter.
struct linux_sandbox_rules {
    /// The process that the filter is for.
    pid_t process;
    /// Whether it may connect to other machines.
    bool mayUseNetwork;
    /// Whether refused calls raise SIGSYS for a handler; otherwise they fail with EPERM.
    bool reports;
    /// Whether calls that access files by path raise SIGSYS too, so that the handler sees their
    /// results.
    bool reportsFiles;
    /// The sixth argument with which the handler repeats such calls; 0 if it repeats none.
    ///
    /// It is random, so that no call has it by chance. None of these calls uses that argument.
    uint64_t marker;
    /// The only address of a program's path with which `execve` is allowed; 0 to never allow it.
    uint64_t programAddress;
};

/// Builds the filter of a child; it is empty on an unsupported architecture.
///
/// It only writes memory, so it may run between vfork and exec.
void linux_sandbox_make_filter(
    struct linux_sandbox_filter *_Nonnull filter, const struct linux_sandbox_rules *_Nonnull rules);

/// Applies a filter to all threads of the process, or to its only one; false if that fails.
///
/// The process must have given up the right to new privileges.
bool linux_sandbox_apply_filter(struct linux_sandbox_filter *_Nonnull filter, bool forAllThreads);

/// Returns the name of a refused call; NULL if the list has none.
const char *_Nullable linux_sandbox_name(unsigned number);
