internal import CLilv
internal import CLinux
internal import Glibc
internal import Processing
internal import Synchronization
internal import Threads

/// The resources that a process with plugins may access; all other access is given up.
///
/// Such a process can read the system files that every program reads, the plugins and their
/// bundles, fonts, and the files that the node names. It can write to one folder. It cannot start
/// processes, open sockets or access other processes.
struct PluginSandbox {
    /// The only writable folder, for files that plugins create; empty for no folder.
    var scratchFolder: String
    /// The user's files and folders that are readable.
    var readablePaths: [String]

    /// The parts of a sandbox that are in force.
    struct Force: OptionSet {
        let rawValue: Int32
        static let noPrivileges = Force(rawValue: Int32(linux_sandbox_has_no_privileges.rawValue))
        static let files = Force(rawValue: Int32(linux_sandbox_restricts_files.rawValue))
        static let calls = Force(rawValue: Int32(linux_sandbox_restricts_calls.rawValue))

        /// The missing parts, as the end of a sentence; `nil` if the sandbox is complete.
        var missing: String? {
            let parts = [
                contains(.files) ? nil : "files are not restricted (no Landlock)",
                contains(.calls) ? nil : "system calls are not restricted (no seccomp filter)",
                contains(.noPrivileges) ? nil : "privileges could not be dropped",
            ].compactMap { $0 }
            return parts.isEmpty ? nil : parts.joined(separator: ", ")
        }
    }

    /// Puts this process into the sandbox permanently.
    ///
    /// Must be called before the process loads a plugin, while it has one thread.
    ///
    /// - Parameters:
    ///   - bundleFolders: Folders of bundles in addition to the default search path.
    ///   - format: The format in which the plugin runs. It determines real-time priority and locked
    ///     memory.
    ///   - refusals: Memory for the numbers of refused calls: `refusalCount` words of 0.
    /// - Returns: The parts that are in force on this kernel.
    func enter(
        bundleFolders: [String], format: AudioFormat?, refusals: UnsafeMutablePointer<UInt32>
    ) -> Force {
        if !scratchFolder.isEmpty { setenv("TMPDIR", scratchFolder, 1) }
        let rules = linux_sandbox_files_begin(false)
        if rules >= 0 { allowFiles(rules, bundleFolders) }
        let isLive = format?.isLive == true
        var limits = linux_sandbox_limits(
            memoryBytes: Self.memoryBytes, fileBytes: 1 << 30, files: 1024,
            // Below the audio thread's own priority, like the thread that runs the plugin.
            realtimePriority: isLive ? max(1, (format?.realtimePriority ?? 1) - 1) : 0,
            mayLockMemory: isLive)
        return Force(rawValue: linux_sandbox_enter(&limits, rules, refusals))
    }

    /// The maximum number of different refused calls that are recorded.
    static let refusalCount = Int(linux_sandbox_refusal_count)

    /// Returns the names of the refused calls recorded in memory that another process may write.
    static func refusedCalls(_ notes: UnsafeMutablePointer<UInt32>) -> [String] {
        (0..<refusalCount).compactMap { index in
            let note = UnsafeMutableRawPointer(notes + index)
                .assumingMemoryBound(to: Atomic<UInt32>.self).pointee.load(ordering: .relaxed)
            guard note != 0 else { return nil }
            return linux_sandbox_name(note - 1).map { String(cString: $0) }
                ?? "number \(note - 1)"
        }
    }

    /// Half of the machine's memory, at least 1 GiB; see docs/measurements/plugins.md for the needs
    /// of plugins.
    private static var memoryBytes: UInt64 {
        let pages = UInt64(max(0, sysconf(Int32(_SC_PHYS_PAGES))))
        let pageBytes = UInt64(max(0, sysconf(Int32(_SC_PAGESIZE))))
        return max(1 << 30, pages * pageBytes / 2)
    }

    private func allowFiles(_ rules: Int32, _ bundleFolders: [String]) {
        linux_sandbox_files_allow_system(rules, false)
        linux_sandbox_files_allow_list(rules, getenv("LD_LIBRARY_PATH"))
        let read = UInt64(linux_sandbox_read.rawValue)
        let folders = BundleFolders(further: bundleFolders)
        // A bundle may be a link to another folder.
        let plugins = BundleFolders.defaultFolders + bundleFolders + folders.all
        for path in plugins + Self.fontFolders + readablePaths + ["/proc/self"] {
            linux_sandbox_files_allow(rules, path, read)
        }
        if !scratchFolder.isEmpty {
            linux_sandbox_files_allow(
                rules, scratchFolder,
                read | UInt64(linux_sandbox_write.rawValue)
                    | UInt64(linux_sandbox_change.rawValue))
        }
    }

    private static var fontFolders: [String] {
        guard let home = getenv("HOME").map({ String(cString: $0) }) else { return [] }
        return [".fonts", ".local/share/fonts", ".config/fontconfig", ".cache/fontconfig"].map {
            home + "/" + $0
        }
    }
}

extension PluginSandbox {
    /// Creates the sandbox of a node's plugin; `nil` if the node has none.
    ///
    /// The files that its settings name are readable together with their folders, because a
    /// sampler's file names other files.
    init?(of request: ProcessorRequest, scratchFolder: String) {
        guard case .on(let folder) = request.sandbox else { return nil }
        self.scratchFolder = scratchFolder
        let named = request.settings.values.compactMap(\.text).compactMap(
            AbsolutePath.resolvingLinks)
        let files = named.filter { !Self.isFolder($0) }
        let own = folder.flatMap { AbsolutePath.resolvingLinks($0.isEmpty ? "." : $0) }
        let folders = named.filter(Self.isFolder) + files.map(Self.folder) + [own].compactMap { $0 }
        readablePaths = files + folders.filter(Self.isNarrow)
    }

    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? "/"
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Returns whether a folder contains neither a home folder nor `/etc`.
    ///
    /// Those, and the folders above them, contain secrets.
    private static func isNarrow(_ folder: String) -> Bool {
        let homes = ["/etc", "/root", getenv("HOME").map { String(cString: $0) } ?? "/home"]
        let parts = folder.split(separator: "/")
        return !homes.compactMap(AbsolutePath.resolvingLinks).contains {
            $0.split(separator: "/").starts(with: parts)
        }
    }
}
