internal import ArgumentParser
internal import Doctor
internal import Glibc
internal import JackHost
internal import Pipelines
internal import Platform

/// `stompline doctor`: examines the machine for settings that make it late.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Find the settings of this machine that make it late on stage.",
        discussion: """
            It reads the settings, measures how late a thread wakes up, and shows each
            finding with the command that fixes it. It changes nothing. Run it while the
            audio server plays, as the user who plays.

            Examples:
              stompline doctor                    with ten seconds of measurement
              stompline doctor --seconds 0        settings only
              stompline doctor --json             for scripts

            Exit status: 0 if nothing is bad, 1 if something is.
            """)

    @Option(
        help: ArgumentHelp(
            "Measure wake-ups for S seconds (0 to 3600, 0: not at all).", valueName: "S"))
    var seconds = 10.0

    @Option(help: ArgumentHelp("The folder for takes.", valueName: "folder"))
    var takes = "."

    @Flag(help: "Print a JSON object.")
    var json = false

    // For tests, and for copies of the files of another machine.
    @Option(help: ArgumentHelp("The folder that contains proc and sys.", visibility: .hidden))
    var root = "/"

    func validate() throws { try Limits.check(measuredSeconds: seconds) }

    /// The JACK library that this process has loaded.
    private static var library: AudioLibrary {
        let loaded = JackLibrary.loaded
        // The period of jackd is on its command line.
        let format = loaded.pipeWireVersion == nil ? nil : try? ServerFormat(ofServer: nil)
        return AudioLibrary(
            jackVersion: loaded.versionText, pipeWireVersion: loaded.pipeWireVersion,
            cycle: format.map { ($0.blockFrames, $0.sampleRate) })
    }

    func run() throws {
        let folder = AbsolutePath.resolvingLinks(takes) ?? AbsolutePath.keepingLinks(takes)
        let home = getenv("HOME").map { String(cString: $0) }
        // The library of this process says nothing about another machine.
        let library = root == "/" ? Self.library : nil
        let machine = Machine(root: root, takes: folder ?? "/", home: home, library: library)
        if seconds > 0 { Console.notify("measuring wake-ups for \(seconds.plain) s") }
        let wakeups = seconds > 0 ? WakeupMeasurement(seconds: seconds) : nil
        let examination = Examination(of: machine, wakeups: wakeups)
        if json {
            try Console.put(DoctorReport(examination, wakeups).json)
        } else {
            try Console.put(ExaminationText(examination).lines.joined(separator: "\n"))
        }
        if examination.isBad { throw ExitStatus.failed.code }
    }
}
