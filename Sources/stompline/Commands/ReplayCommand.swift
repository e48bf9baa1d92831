internal import ArgumentParser
internal import BlackBox
internal import Glibc
internal import Pipelines
internal import Platform
internal import Processing

/// `stompline replay`: renders a box of a black box again.
struct ReplayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Render the last minutes of a session again, and find what went wrong.",
        discussion: """
            Examples:
              stompline replay                          list the boxes
              stompline replay BOX.stompbox             replay one
              stompline replay BOX.stompbox --json      for scripts
              stompline replay BOX.stompbox --pack report.tar
              stompline replay BOX.stompbox --pack report.tar --privacy
              tar -xf report.tar                        unpack one that was sent to you

            While a session plays, a black box keeps its last minutes. After an xrun, a
            panic, a NaN, a crash, or 'stompline ctl keep', it writes them as a folder
            *.stompbox to ~/.local/state/stompline/boxes. The replay renders them with the
            same engine, compares every cycle with the checksum of the one that was
            played, and names the node that took too long, or that produced the NaN. In the
            replay of a crash, each plugin runs in its own process, and the one that crashes
            again is named.

            --pack writes the box into one file, to attach to a bug report. --privacy
            leaves out the sound and the files that played; values, times and the names
            in the pipeline remain.

            Exit status: 0 if the replay is equal; 1 if it differs, a NaN is found, or a
            plugin fails. A box without its beginning may differ at first, and a private one
            is not compared. 66 if the box cannot be read.
            """)

    @Argument(
        help: ArgumentHelp("The folder of a box.", valueName: "box"), completion: .directory)
    var box: String?

    @Option(
        help: ArgumentHelp("Write the box into one file, instead of a replay.", valueName: "file"))
    var pack: String?

    @Flag(help: "With --pack: leave out the sound and the files that played.")
    var privacy = false

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var permissionOptions: PermissionOptions

    func validate() throws {
        if privacy, pack == nil { throw ValidationError("--privacy needs --pack") }
        if box == nil, pack != nil { throw ValidationError("--pack needs a box") }
    }

    func run() throws {
        guard let box else { return try list() }
        let folder = AbsolutePath.keepingLinks(box) ?? box
        try Self.requireFolder(box)
        if let pack { return try write(folder, to: pack) }
        let report: ReplayReport
        do throws(BoxError) {
            let contents = try BoxReader(of: folder).read()
            let catalogue = HostServices.benchCatalogue(permissions: permissionOptions.permissions)
            let replay = try Replay(contents, folder: folder, catalogue: catalogue)
            let progress = ProgressLine("replaying")
            defer { progress.end() }
            let result = try replay.run(progress: progress.show)
            report = ReplayReport(
                contents, result, replay.unrepeatable, program: Version.text)
        } catch {
            throw Failure(error.description, .unreadableFile)
        }
        try Console.put(json ? report.json.text : report.lines.joined(separator: "\n"))
        if !report.isConfirmed { throw ExitStatus.failed.code }
    }

    /// Throws `Failure` if a path is that of a file: a packed box, or a part of a box.
    private static func requireFolder(_ path: String) throws {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
        throw Failure(
            path.hasSuffix("box.json")
                ? "'\(path)' is a file of a box: name the folder of the box"
                : "'\(path)' is a packed box: unpack it with 'tar -xf \(path)', then name its folder",
            .unreadableFile)
    }

    /// Prints the paths of the boxes.
    private func list() throws {
        guard let folder = BoxFolder.path else {
            throw Failure("there is no folder for boxes: set HOME", .unavailable)
        }
        let names = UserFolder.names(in: folder).filter { $0.hasSuffix(BoxWriter.ending) }
        if json {
            return try Console.put(
                JSONValue.array(names.map { .string("\(folder)/\($0)") }).text)
        }
        guard !names.isEmpty else { return Console.notify("there are no boxes in \(folder)") }
        for name in names { try Console.put("\(folder)/\(name)") }
    }

    /// Writes a box into one file.
    private func write(_ folder: String, to path: String) throws {
        let isBox = UserFolder.names(in: folder).contains("box.json")
        let contents: Box
        do throws(BoxError) {
            if !privacy { return try BoxArchive(of: folder).write(to: path) }
            contents = try BoxReader(of: folder).read()
        } catch {
            throw Failure(error.description, isBox && !privacy ? .failedWrite : .unreadableFile)
        }
        do throws(BoxError) {
            let copy = path + BoxWriter.ending
            try BoxWriter(to: copy).write(contents, isPrivate: true)
            defer { BoxWriter.remove(copy) }
            try BoxArchive(of: copy, named: BoxArchive.lastName(of: folder)).write(to: path)
        } catch {
            throw Failure(error.description, .failedWrite)
        }
    }
}
