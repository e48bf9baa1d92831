// The sandbox of a child that becomes another program. The child applies it between vfork and exec.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "ChildProcess.h"
#include "SandboxFilter.h"
#include "SandboxLimits.h"

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

/// Creates the sandbox of a program with a given path.
///
/// Returns NULL, with the reason in errno, on failure.
struct linux_child_sandbox *_Nullable linux_child_sandbox_make(
    const char *_Nonnull path, const struct linux_child_permissions *_Nonnull permissions);

/// Applies the sandbox; parts that this kernel does not support are left out.
///
/// It makes only system calls and writes only to the sandbox, so it may run between vfork and exec.
/// `files` is the descriptor of the ruleset in the child.
void linux_child_sandbox_apply(struct linux_child_sandbox *_Nonnull sandbox, int files);

/// Frees a sandbox.
void linux_child_sandbox_free(struct linux_child_sandbox *_Nonnull sandbox);
