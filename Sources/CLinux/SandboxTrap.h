// The handler of the calls that a sandboxed process's filter traps: it refuses some, and repeats
// others to see their results.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "SandboxRefusals.h"

/// Installs the handler of SIGSYS, the signal of a trapped call, and unblocks that signal.
///
/// - Parameters:
///   - refusals: Receives the refused calls and file accesses.
///   - marker: The last argument of a repeated call, which the filter allows; see
///     `linux_sandbox_rules`.
void linux_sandbox_handle_traps(struct linux_sandbox_refusals *_Nonnull refusals, uint64_t marker);
