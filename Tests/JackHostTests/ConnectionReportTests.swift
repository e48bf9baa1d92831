import JackHost
import SessionCore
import Testing

struct ConnectionReportTests {
    private typealias Port = SessionConnections.Port

    private static let second: UInt64 = 1_000_000_000
    private let settled = ConnectionReport.settlingNanoseconds

    @Test("the first report names every port as changed")
    func first() {
        var report = ConnectionReport()
        let ports = [Port(name: "mic", isInput: true), Port(name: "main", isInput: false)]
        #expect(report.report(ports) == SessionConnections(ports: ports, changed: [0, 1]))
    }

    @Test("a later report names the ports whose connections or unmatched rules differ")
    func changed() {
        var report = ConnectionReport()
        var ports = [
            Port(name: "a", isInput: true), Port(name: "b", isInput: true, others: ["x:y"]),
            Port(name: "c", isInput: false),
        ]
        _ = report.report(ports)
        ports[1].others = []
        ports[2].unmatchedRules = [.init(text: "x:y")]
        #expect(report.report(ports)?.changed == [1, 2])
    }

    @Test("there is no report if nothing differs")
    func unchanged() {
        var report = ConnectionReport()
        let ports = [Port(name: "mic", isInput: true)]
        _ = report.report(ports)
        #expect(report.report(ports) == nil)
        report.forget()
        #expect(report.report(ports)?.changed == [0])
    }

    @Test("a different most similar name does not count as a change of the port")
    func nearest() {
        var report = ConnectionReport()
        var port = Port(name: "mic", isInput: true, unmatchedRules: [.init(text: "x:y")])
        _ = report.report([port])
        port.unmatchedRules[0].nearest = "x:z"
        #expect(report.report([port])?.changed == [])
    }

    @Test("it is due when the graph has settled after the last change")
    func settling() {
        var report = ConnectionReport()
        #expect(!report.isDue(at: Self.second))
        report.noteChange(at: Self.second)
        report.noteChange(at: Self.second + settled / 2)
        #expect(!report.isDue(at: Self.second + settled))
        #expect(report.isDue(at: Self.second + settled / 2 + settled))
        _ = report.report([])
        #expect(!report.isDue(at: 10 * Self.second))
    }

    @Test("it does not wait without a limit for changes to end")
    func flood() {
        var report = ConnectionReport()
        var now = Self.second
        while now < Self.second + ConnectionReport.longestNanoseconds {
            #expect(!report.isDue(at: now))
            report.noteChange(at: now)
            now += settled / 3
        }
        #expect(report.isDue(at: now))
    }

    @Test("a lost server cancels it")
    func cancelled() {
        var report = ConnectionReport()
        report.noteChange(at: Self.second)
        report.cancel()
        #expect(!report.isDue(at: 10 * Self.second))
    }
}
