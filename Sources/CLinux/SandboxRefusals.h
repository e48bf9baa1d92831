// The refused calls and file accesses of a sandboxed process, in memory that it shares with its
// parent.
#pragma once

#include <stdint.h>

/// The maximum numbers of different refused calls and of different refused accesses to files that
/// are recorded, and the size of a recorded path in bytes.
enum { linux_sandbox_call_count = 8, linux_sandbox_file_count = 16, linux_sandbox_path_bytes = 496 };

/// The kinds of refused access to a file.
enum linux_sandbox_action {
    linux_sandbox_reads = 1,
    linux_sandbox_writes,
    linux_sandbox_removes,
    /// Moves a file or a folder to the path.
    linux_sandbox_moves,
};

/// A refused access to a file.
struct linux_sandbox_refused_file {
    /// A hash of action and path; 0 if this record is free.
    uint32_t key;
    /// Not 0 if the other members are written.
    uint32_t isWritten;
    /// A `linux_sandbox_action`.
    uint32_t action;
    /// Not 0 if the path is longer than the record.
    uint32_t isCut;
    /// The absolute path, ended by a zero byte unless the process overwrote it.
    char path[linux_sandbox_path_bytes];
};

/// The refusals of a process; all zero at its start.
struct linux_sandbox_refusals {
    /// The numbers of refused calls, each plus 1; 0 if the word is free.
    uint32_t calls[linux_sandbox_call_count];
    struct linux_sandbox_refused_file files[linux_sandbox_file_count];
};

/// Records a refused call once. It only writes memory, so a signal handler may call it.
void linux_sandbox_record_call(struct linux_sandbox_refusals *_Nullable refusals, long number);

/// Records a refused access once, if its path can be read.
///
/// It only makes system calls and writes memory, so a signal handler may call it.
///
/// - Parameters:
///   - refusals: The memory.
///   - action: A `linux_sandbox_action`.
///   - folder: The descriptor of the folder from which a relative path starts; AT_FDCWD for the
///     current folder.
///   - path: The path that the call received.
void linux_sandbox_record_file(
    struct linux_sandbox_refusals *_Nullable refusals, uint32_t action, int folder, const char *_Nonnull path);
