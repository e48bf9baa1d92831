/// Checks the version of JACK or PipeWire, and whether the program can reach the server that runs.
enum VersionCheck: MachineCheck {
    static let id = "versions"
    static let title = "versions of JACK and PipeWire"
    static let why =
        "A program reaches PipeWire only with PipeWire's JACK library, and jackd only "
        + "with that of JACK."

    /// The oldest versions with which Stompline is tested.
    private static let (testedJack, testedPipeWire) = ("1.9.21", "0.3.65")

    static func findings(on machine: Machine) -> [Finding] {
        guard let library = machine.library else { return [] }
        let names = Set(SystemThread.processes(on: machine).map(\.name))
        let isJackRunning = names.contains("jackd") || names.contains("jackdbus")
        let isPipeWireRunning = names.contains("pipewire")
        if let version = library.pipeWireVersion {
            if isJackRunning, !isPipeWireRunning {
                return [
                    finding(
                        .bad,
                        "jackd is running, but this program uses the JACK library of PipeWire "
                            + "\(version).",
                        fix: Finding.Fix("stompline run FILE", note: "Run it without pw-jack."))
                ]
            }
            return [finding(of: "PipeWire", version, tested: testedPipeWire)]
        }
        if isPipeWireRunning, !isJackRunning {
            return [
                finding(
                    .bad,
                    "PipeWire is running, but this program uses JACK's own library, version "
                        + "\(library.jackVersion), which does not reach it.",
                    fix: Finding.Fix(
                        "pw-jack stompline run FILE",
                        note: "The Debian package pipewire-jack contains pw-jack."))
            ]
        }
        return [finding(of: "JACK", library.jackVersion, tested: testedJack)]
    }

    private static func finding(
        of name: String, _ version: String, tested: String
    ) -> Finding {
        if version.isEmpty { return finding(.unknown, "\(name) does not state its version.") }
        let text = "This program uses \(name) \(version)."
        if !isOlder(version, than: tested) { return finding(.good, text) }
        return finding(
            .notice, text + " Versions from \(tested) on are tested.",
            fix: Finding.Fix(note: "Install a newer version of your distribution."))
    }

    /// Returns whether a version is older than another one; both are numbers with dots.
    private static func isOlder(_ version: String, than other: String) -> Bool {
        let (own, wanted) = (numbers(of: version), numbers(of: other))
        return own.lexicographicallyPrecedes(wanted)
    }

    private static func numbers(of version: String) -> [Int] {
        version.split(separator: ".").map { part in Int(part.prefix { $0.isNumber }) ?? 0 }
    }
}
