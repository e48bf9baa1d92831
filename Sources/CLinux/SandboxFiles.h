// The files that a sandboxed child may access, as rules of the kernel's Landlock.
#pragma once

#include <stdbool.h>
#include <stdint.h>

/// The kinds of access to a file, or to all files in a folder.
enum linux_sandbox_access {
    /// Read it.
    linux_sandbox_read = 1 << 2 | 1 << 3,
    /// Start it as a program.
    linux_sandbox_start = 1 << 0,
    /// Write to existing files.
    linux_sandbox_write = 1 << 1 | 1 << 14,
    /// Create, move and remove files and folders, but not devices.
    linux_sandbox_change = 1 << 4 | 1 << 5 | 1 << 7 | 1 << 8 | 1 << 10 | 1 << 12 | 1 << 13,
};

/// Returns the kernel's version of Landlock; 0 if it has none.
int linux_sandbox_files_version(void);

/// Creates a ruleset that allows nothing; -1 if the kernel has no Landlock.
///
/// - Parameter mayConnect: Whether TCP connections to other machines are allowed.
int linux_sandbox_files_begin(bool mayConnect);

/// Allows access to a file, or to all files in a folder; does nothing if the path does not exist.
void linux_sandbox_files_allow(int rules, const char *_Nonnull path, uint64_t access);

/// Allows the files that every program needs, and optionally those for the network.
void linux_sandbox_files_allow_system(int rules, bool network);

/// Allows reading in the folders of a colon-separated list such as LD_LIBRARY_PATH.
void linux_sandbox_files_allow_list(int rules, const char *_Nullable list);

/// Applies the ruleset to the calling thread and the threads that it starts.
///
/// The process must have given up the right to new privileges.
bool linux_sandbox_files_apply(int rules);
