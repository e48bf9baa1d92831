import FoundationEssentials
import Testing
import TestSignals

@Suite("stompline doctor")
struct DoctorCommandTests {
    private let program = Program()

    private struct Report: Decodable {
        let bad: Int
        let findings: [Finding]
        let wakeups: Wakeups?
    }

    private struct Finding: Decodable {
        let id: String
        let title: String
        let state: String
        let finding: String
        let why: String
    }

    private struct Wakeups: Decodable {
        let count: Int
        let min_us: Double
        let median_us: Double
        let p999_us: Double
        let max_us: Double
        let histogram: [Octave]
    }

    private struct Octave: Decodable {
        let up_to_us: Int
        let count: Int
    }

    @Test("examines this machine: JSON with findings and measured wake-ups, and the exit status")
    func machine() throws {
        let outcome = program("doctor", "--json", "--seconds", "0.3")
        let report = try JSONDecoder().decode(Report.self, from: Data(outcome.output.utf8))
        #expect(outcome.status == (report.bad > 0 ? 1 : 0))
        #expect(report.bad == report.findings.count { $0.state == "bad" })
        #expect(report.findings.contains { $0.id == "realtime-permission" })
        #expect(report.findings.contains { $0.id == "wake-ups" && $0.state != "unknown" })
        #expect(report.findings.allSatisfy { !$0.finding.isEmpty && !$0.why.isEmpty })
        #expect(report.findings.contains { $0.title == "real-time priority" })
        let wakeups = try #require(report.wakeups)
        #expect((1...300).contains(wakeups.count))
        let times = [wakeups.min_us, wakeups.median_us, wakeups.p999_us, wakeups.max_us]
        #expect(times == times.sorted())
        #expect(wakeups.histogram.reduce(0) { $0 + $1.count } == wakeups.count)
    }

    @Test("leaves out the measurement with --seconds 0, and fits 80 columns")
    func text() {
        let outcome = program("doctor", "--seconds", "0")
        #expect(outcome.errors.isEmpty)
        #expect(outcome.output.contains("Nothing was changed."))
        #expect(!outcome.output.contains("wake-ups"))
        #expect(outcome.output.split(separator: "\n").filter { $0.count >= 80 } == [])
    }

    @Test("ends with 1 if something is bad, and 0 if nothing is")
    func status() {
        let folder = program.folder.path
        #expect(program.other("mkdir", "-p", "\(folder)/a/proc", "\(folder)/b/proc/self"))
        program.folder.write("ro highres=off\n", to: "a/proc/cmdline")
        program.folder.write("Max realtime priority  95  95\n", to: "b/proc/self/limits")
        let (bad, fine) = (
            program("doctor", "--seconds", "0", "--root", "\(folder)/a"),
            program("doctor", "--seconds", "0", "--root", "\(folder)/b")
        )
        #expect(bad.status == 1 && bad.output.contains("BAD: clock and timers"))
        #expect(fine.status == 0 && fine.output.contains("priorities up to 95"))
    }

    @Test("refuses times that are no duration", arguments: ["-1", "3601", "nan", "soon"])
    func wrongTime(seconds: String) {
        #expect(program("doctor", "--seconds=\(seconds)").status == 64)
    }
}
