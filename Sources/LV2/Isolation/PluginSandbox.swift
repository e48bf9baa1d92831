internal import CLilv
internal import Glibc
internal import Processing
internal import Platform

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

    /// Puts this process into the sandbox permanently.
    ///
    /// Must be called before the process loads a plugin, while it has one thread.
    ///
    /// - Parameters:
    ///   - bundleFolders: Folders of bundles in addition to the default search path.
    ///   - format: The format in which the plugin runs. It determines real-time priority and locked
    ///     memory.
    ///   - refusals: Receives the refused calls and file accesses.
    /// - Returns: The parts that are in force on this kernel.
    func enter(
        bundleFolders: [String], format: AudioFormat?, refusals: SandboxRefusals
    ) -> ProcessSandbox.Force {
        if !scratchFolder.isEmpty { setenv("TMPDIR", scratchFolder, 1) }
        let isLive = format?.isLive == true
        let limits = ProcessSandbox.Limits(
            memoryBytes: Self.memoryBytes, fileBytes: 1 << 30, openFiles: 1024,
            // Below the audio thread's own priority, like the thread that runs the plugin.
            realtimePriority: isLive ? max(1, (format?.realtimePriority ?? 1) - 1) : 0,
            mayLockMemory: isLive)
        return ProcessSandbox.enter(limits, files(bundleFolders), refusals: refusals)
    }

    /// Half of the machine's memory, at least 1 GiB; see docs/measurements/plugins.md for the needs
    /// of plugins.
    private static var memoryBytes: UInt64 {
        let pages = UInt64(max(0, sysconf(Int32(_SC_PHYS_PAGES))))
        let pageBytes = UInt64(max(0, sysconf(Int32(_SC_PAGESIZE))))
        return max(1 << 30, pages * pageBytes / 2)
    }

    private func files(_ bundleFolders: [String]) -> ProcessSandbox.Files {
        let files = ProcessSandbox.Files()
        let folders = BundleFolders(further: bundleFolders)
        // A bundle may be a link to another folder.
        let plugins = BundleFolders.defaultFolders + bundleFolders + folders.all
        for path in plugins + Self.fontFolders + readablePaths + ["/proc/self"] {
            files.allow(path, .read)
        }
        if !scratchFolder.isEmpty { files.allow(scratchFolder, [.read, .write, .change]) }
        return files
    }

    private static var fontFolders: [String] {
        guard let home = getenv("HOME").map({ String(cString: $0) }) else { return [] }
        return [".fonts", ".local/share/fonts", ".config/fontconfig", ".cache/fontconfig"].map {
            home + "/" + $0
        }
    }
}

extension ProcessSandbox.Force {
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
