// Starts a program as a child process: Swift can call neither vfork nor prctl.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/// The permissions of a sandboxed child in addition to the files that every program reads.
struct linux_child_permissions {
    /// The one additional file that it may read; NULL for no file.
    const char *_Nullable file;
    /// Whether it may connect to other machines.
    bool mayUseNetwork;
};

/// The number of descriptors that a child can get: 0 to 3.
enum { linux_child_descriptor_count = 4 };

/// Finds a program in PATH, or uses its path unchanged.
///
/// Returns false, with the reason in errno, on failure.
bool linux_child_find(const char *_Nonnull name, char *_Nonnull path, size_t bytes);

/// Starts a program that is found in PATH.
///
/// The child inherits no blocked or ignored signals, and no other descriptors than the given ones.
/// It has its own process group, so that a terminal's Ctrl-C reaches only the parent. The kernel
/// sends it a signal when the parent process ends for any reason, but not when the calling thread
/// ends.
///
/// A sandboxed child has no privileges and cannot start another program. It can read the files that
/// every program reads and those it is permitted to read, and it can write only to the descriptors
/// that it gets. Its environment lacks the variables that redirect connections. On a kernel without
/// Landlock it could read more files, and on an architecture without a filter it could make more
/// system calls.
///
/// - Parameters:
///   - arguments: The arguments, beginning with the program's name; ends with NULL.
///   - variables: Variables in addition to the environment of this process; ends with NULL.
///   - descriptors: The `linux_child_descriptor_count` descriptors that become the child's
///     descriptors 0 to 3. -1 means `/dev/null`; as the last one, for no descriptor.
///   - endSignal: The signal that the child gets when this process ends.
///   - permissions: The permissions of its sandbox; NULL for no sandbox.
/// - Returns: The child's process ID, which the caller must wait for; -1 with the reason in errno.
pid_t linux_child_start(
    const char *_Nonnull program, const char *_Nullable const *_Nonnull arguments,
    const char *_Nullable const *_Nonnull variables, const int *_Nonnull descriptors, int endSignal,
    const struct linux_child_permissions *_Nullable permissions);

/// Returns a descriptor that becomes readable when a child ends; -1 if the kernel has none.
int linux_child_watch(pid_t child);
