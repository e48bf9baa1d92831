// The resource limits of a sandboxed child, and the privileges that it gives up.
#pragma once

#include <stdbool.h>

/// The resource limits of a child.
struct linux_sandbox_limits {
    /// Bytes of writable memory, including stacks.
    unsigned long long memoryBytes;
    /// The maximum size of each of its files, in bytes.
    unsigned long long fileBytes;
    /// The maximum number of open files.
    unsigned files;
    /// The highest real-time priority of its threads; 0 for none.
    int realtimePriority;
    /// Whether it may lock all its memory, provided that it may currently do so.
    bool mayLockMemory;
};

/// Applies limits. It only makes system calls, so it may run between vfork and exec.
void linux_sandbox_apply_limits(const struct linux_sandbox_limits *_Nonnull limits);

/// Makes the kernel end this process first if memory runs out. It only makes system calls.
void linux_sandbox_offer_to_end(void);

/// Gives up all privileges permanently, including those that a program could add.
///
/// It only makes system calls. Returns false if the process could still gain privileges.
bool linux_sandbox_give_up_privileges(void);
