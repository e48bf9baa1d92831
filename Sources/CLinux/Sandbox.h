// A sandbox that a process of this program enters before it runs third-party code.
#pragma once

#include "SandboxFiles.h"
#include "SandboxFilter.h"
#include "SandboxLimits.h"
#include "SandboxRefusals.h"

/// The parts of a sandbox that are in force.
enum linux_sandbox_force {
    linux_sandbox_has_no_privileges = 1,
    linux_sandbox_restricts_files = 2,
    linux_sandbox_restricts_calls = 4,
    linux_sandbox_is_whole = 7,
};

/// Puts this process into a sandbox permanently.
///
/// Must be called while the process has one thread; threads that it starts later are in the sandbox
/// as well.
///
/// - Parameters:
///   - limits: The limits of the process.
///   - files: A ruleset from `linux_sandbox_files_begin`, which this function closes; -1 for no
///     ruleset.
///   - refusals: Memory for the refused calls and file accesses, all zero.
/// - Returns: The parts that are in force, as flags of `linux_sandbox_force`.
int linux_sandbox_enter(
    const struct linux_sandbox_limits *_Nonnull limits, int files,
    struct linux_sandbox_refusals *_Nonnull refusals);
