internal import Engine
internal import Glibc
internal import Platform

/// Writes the boxes of programs that have died.
public enum BoxRescue {
    /// The name of the facts in the folder of a memory.
    static let factsName = "facts.json"
    /// The name of the list of the files that nodes read.
    static let filesName = "files.json"
    private static let mostBytes = 1 << 26

    /// Returns the folder in RAM for the memories of all sessions of the user.
    ///
    /// It is below `XDG_RUNTIME_DIR`, which is in RAM on all systems with systemd, or below
    /// `/dev/shm`.
    public static var memoryFolder: String {
        memoryFolder(runtimeFolder: getenv("XDG_RUNTIME_DIR").map { String(cString: $0) } ?? "")
    }

    /// Returns the folder in RAM for the memories of all sessions of the user.
    ///
    /// A folder on a disk is not used: whenever the kernel has written a page to the disk, the audio
    /// thread would meet a page fault in it, although the memory is locked.
    ///
    /// - Parameters:
    ///   - runtimeFolder: The value of `XDG_RUNTIME_DIR`.
    ///   - isInRAM: Whether a folder is in RAM.
    /// - Returns: The path of a folder that may not exist yet.
    package static func memoryFolder(
        runtimeFolder: String, isInRAM: (String) -> Bool = UserFolder.isInRAM
    ) -> String {
        let mayUse = runtimeFolder.hasPrefix("/") && access(runtimeFolder, W_OK) == 0
        return mayUse && isInRAM(runtimeFolder)
            ? "\(runtimeFolder)/stompline/boxes" : "/dev/shm/stompline-\(getuid())/boxes"
    }

    /// Writes a box for each program that has died, and removes its memory.
    ///
    /// The memory of a box that cannot be written remains, for example until the disk has room again.
    ///
    /// - Parameters:
    ///   - memoryFolder: The folder for the memories of all sessions.
    ///   - path: Returns the path of a new box, from the name of its session; `nil` if there is no
    ///     folder for it.
    /// - Returns: The paths of the boxes, and the errors of those that cannot be written.
    public static func rescue(
        from memoryFolder: String, path: (String) -> String?
    ) -> [Result<String, BoxError>] {
        BoxRecovery.folders(in: memoryFolder).compactMap { folder in
            guard let memory = BoxRecovery(folder: folder) else { return nil }
            var staysForLater = false
            defer { if !staysForLater { BoxWriter.remove(folder) } }
            guard let text = FileBytes.read("\(folder)/\(factsName)", limit: mostBytes),
                var facts = try? BoxCoding.decode(BoxFacts.self, text, file: factsName)
            else { return nil }
            facts.keptSeconds = BoxKeeper.now
            let log = BoxLog(memory.words, ticksPerSecond: facts.start.ticksPerSecond)
            guard !log.calls.isEmpty else { return nil }
            guard let target = path(facts.name) else {
                staysForLater = true
                return .failure(BoxError("there is no folder for it"))
            }
            if facts.isWhole, log.calls[0].frame != 0 { facts.isWhole = false }
            var schedules: [UInt64: [UInt8]] = [:]
            for name in UserFolder.names(in: folder) {
                guard name.hasPrefix("schedule-"), name.hasSuffix(".json"),
                    let number = UInt64(name.dropFirst(9).dropLast(5))
                else { continue }
                schedules[number] = FileBytes.read("\(folder)/\(name)", limit: mostBytes)
            }
            var box = Box(facts: facts, schedules: schedules, log: log)
            box.files =
                FileBytes.read("\(folder)/\(filesName)", limit: mostBytes).flatMap {
                    try? BoxCoding.decode([ReadFile].self, $0, file: filesName)
                } ?? []
            do throws(BoxError) {
                try BoxWriter(to: target).write(box, isPrivate: facts.isPrivate)
                return .success(target)
            } catch {
                staysForLater = true
                return .failure(error)
            }
        }
    }
}
