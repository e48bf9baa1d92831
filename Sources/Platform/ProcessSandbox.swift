internal import CLinux
internal import Glibc

/// The sandbox of this process, which it enters before it runs third-party code.
///
/// Such a process does not become another program, unlike a `ChildProcess` with a sandbox. It can
/// therefore record which system calls were refused.
package enum ProcessSandbox {
    /// The parts of a sandbox that are in force.
    package struct Force: OptionSet, Sendable {
        package let rawValue: Int32

        package init(rawValue: Int32) { self.rawValue = rawValue }

        package static let noPrivileges = Force(linux_sandbox_has_no_privileges)
        package static let files = Force(linux_sandbox_restricts_files)
        package static let calls = Force(linux_sandbox_restricts_calls)

        private init(_ part: linux_sandbox_force) { rawValue = Int32(part.rawValue) }
    }

    /// The resource limits of the process.
    package struct Limits {
        /// The size of its writable memory, including stacks, in bytes.
        package var memoryBytes: UInt64
        /// The maximum size of each of its files, in bytes.
        package var fileBytes: UInt64
        /// The maximum number of its open files.
        package var openFiles: UInt32
        /// The highest real-time priority of its threads; 0 for none.
        package var realtimePriority: Int32
        /// Whether it may lock all its memory, provided that it may currently do so.
        package var mayLockMemory: Bool

        package init(
            memoryBytes: UInt64, fileBytes: UInt64, openFiles: UInt32, realtimePriority: Int32,
            mayLockMemory: Bool
        ) {
            self.memoryBytes = memoryBytes
            self.fileBytes = fileBytes
            self.openFiles = openFiles
            self.realtimePriority = realtimePriority
            self.mayLockMemory = mayLockMemory
        }
    }

    /// The files that the process may access; the system files that every program reads are among
    /// them.
    package struct Files: ~Copyable {
        /// The kinds of access to a file, or to all files in a folder.
        package struct Access: OptionSet {
            package let rawValue: UInt64

            package init(rawValue: UInt64) { self.rawValue = rawValue }

            package static let read = Access(linux_sandbox_read)
            /// Writing to existing files.
            package static let write = Access(linux_sandbox_write)
            /// Creating, moving and removing files and folders.
            package static let change = Access(linux_sandbox_change)

            private init(_ access: linux_sandbox_access) { rawValue = UInt64(access.rawValue) }
        }

        /// The kernel's ruleset; -1 if the kernel cannot restrict files.
        fileprivate let rules = linux_sandbox_files_begin(false)

        package init() {
            guard rules >= 0 else { return }
            linux_sandbox_files_allow_system(rules, false)
            linux_sandbox_files_allow_list(rules, getenv("LD_LIBRARY_PATH"))
        }

        /// Allows access to a file, or to all files in a folder, if the path exists.
        package func allow(_ path: String, _ access: Access) {
            if rules >= 0 { linux_sandbox_files_allow(rules, path, access.rawValue) }
        }
    }

    /// Whether the kernel can restrict which files a process accesses.
    package static var canRestrictFiles: Bool { linux_sandbox_files_version() > 0 }

    /// Puts this process into the sandbox permanently.
    ///
    /// Must be called while the process has one thread; threads that it starts later are in the
    /// sandbox as well.
    ///
    /// - Parameters:
    ///   - limits: The limits.
    ///   - files: The files that stay accessible.
    ///   - refusals: Receives the refused calls and file accesses, as long as the process runs.
    /// - Returns: The parts that are in force on this kernel.
    package static func enter(
        _ limits: Limits, _ files: consuming Files, refusals: SandboxRefusals
    ) -> Force {
        var limits = linux_sandbox_limits(
            memoryBytes: limits.memoryBytes, fileBytes: limits.fileBytes, files: limits.openFiles,
            realtimePriority: limits.realtimePriority, mayLockMemory: limits.mayLockMemory)
        return Force(rawValue: refusals.record { linux_sandbox_enter(&limits, files.rules, $0) })
    }
}
