import Doctor
import Glibc
import TestSignals

/// Files of a machine as in `/proc` and `/sys`, from which a scratch folder is made.
struct MachineTree {
    /// The contents by path, without the first slash.
    var files: [String: String]
    /// The targets of symbolic links by path, relative to the folder of the link.
    var links: [String: String] = [:]
    /// The JACK library of the process; `nil` if it is not known.
    var library: AudioLibrary?

    /// Returns a copy with other files; `nil` removes a file.
    func with(_ changes: [String: String?]) -> MachineTree {
        var tree = self
        for (path, content) in changes { tree.files[path] = content }
        return tree
    }

    /// Returns a copy with another JACK library.
    func using(
        jack: String, pipeWire: String? = nil, cycle: (frames: Int, sampleRate: Double)? = nil
    ) -> MachineTree {
        var tree = self
        tree.library = AudioLibrary(jackVersion: jack, pipeWireVersion: pipeWire, cycle: cycle)
        return tree
    }

    /// Examines the machine.
    func examination(takes: String = "/home/ada", wakeups: WakeupMeasurement? = nil) -> Examination
    {
        let folder = ScratchFolder()
        write(to: folder)
        let machine = Machine(
            root: folder.path, takes: takes, home: "/home/ada", library: library)
        return Examination(of: machine, wakeups: wakeups)
    }

    /// Returns the findings of a check.
    func findings(_ id: String, takes: String = "/home/ada") -> [Finding] {
        examination(takes: takes).findings.filter { $0.id == id }
    }

    /// Returns the only finding of a check.
    func finding(_ id: String) -> Finding? {
        let found = findings(id)
        return found.count == 1 ? found.first : nil
    }

    /// Writes the files into a folder.
    func write(to folder: ScratchFolder) {
        for (path, content) in files {
            makeParents(of: path, in: folder)
            // Command lines in `/proc` contain zero bytes.
            guard let file = fopen(folder.file(path), "w") else { fatalError("cannot write") }
            fwrite(content, 1, content.utf8.count, file)
            fclose(file)
        }
        for (path, target) in links {
            makeParents(of: path, in: folder)
            symlink(target, folder.file(path))
        }
    }

    private func makeParents(of path: String, in folder: ScratchFolder) {
        var parent = folder.path
        for part in path.split(separator: "/").dropLast() {
            parent += "/" + part
            mkdir(parent, 0o700)
        }
    }

    /// Returns the content of `/proc/PID/stat`.
    static func stat(_ id: Int, _ name: String, priority: Int = 0) -> String {
        let rest = Array(repeating: "0", count: 36).joined(separator: " ")
        // State, 36 numbers, priority, policy (1 is SCHED_FIFO), and numbers that follow.
        return "\(id) (\(name)) S \(rest) \(priority) \(priority > 0 ? 1 : 0) 0 0 0\n"
    }

    /// Returns the content of `/proc/self/limits`.
    static func limits(priority: String, memory: String) -> String {
        """
        Limit                     Soft Limit           Hard Limit           Units
        Max cpu time              unlimited            unlimited            seconds
        Max locked memory         \(memory)              \(memory)              bytes
        Max nice priority         0                    0
        Max realtime priority     \(priority)                    \(priority)
        Max realtime timeout      unlimited            unlimited            us
        """
    }
}
