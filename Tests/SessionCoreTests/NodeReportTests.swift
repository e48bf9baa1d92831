import CRealtime
import Engine
import Pipelines
import Processing
import SessionCore
import Synchronization
import Testing

@Suite("Reports of nodes")
struct NodeReportTests {
    /// The text that the test's node reports.
    private final class Label: Sendable {
        private let content = Mutex("one.wav")
        var text: String { content.withLock { $0 } }
        func set(_ text: String) { content.withLock { $0 = text } }
    }

    private let label = Label()
    private let schedule: Schedule
    private let catalogue: Catalogue

    private static let text = """
        { "version": 1, "inputs": { "in": {}, "keys": { "kind": "midi" } },
          "nodes": [ { "id": "n", "type": "reporting" } ] }
        """

    init() throws {
        // The node reports one value under the name of its parameter, and one under the name of the
        // bypass.
        let description = NodeDescription(
            name: "reporting", label: "Reporting", summary: "",
            parameters: [ParameterDescription("position", range: 0...1000, default: 5)],
            reports: [
                ReportDescription("position", unit: .seconds),
                ReportDescription("state", kind: .choice(["idle", "busy"])),
                ReportDescription("on", kind: .toggle),
                ReportDescription("bypass", unit: .decibels),
            ], textReports: [ReportDescription("file")])
        let effect = Effect(
            description: description,
            makeProcessor: { [label] request throws(PluginError) in
                Processor(
                    SilentKernel(), inputCount: request.inputChannels,
                    outputCount: request.outputChannels,
                    reportTexts: { values in [label.text + " \(values[1])"] })
            })
        catalogue = Catalogue(effects: [effect], plugins: NoPlugins())
        let pipeline = try Pipeline(
            decoding: Array(Self.text.utf8), file: "p.json", catalogue: catalogue)
        schedule = try Schedule(
            preparing: pipeline, catalogue: catalogue,
            format: AudioFormat(sampleRate: 48_000, maximumBlockFrames: 64))
    }

    private func space(_ reports: NodeReports) throws -> AddressSpace {
        let song = Song(name: "one", pipeline: schedule.pipeline, path: "")
        var ports = EnginePorts()
        _ = ports.add(song.pipeline)
        return AddressSpace(
            values: LiveValues(atStartOf: schedule.pipeline),
            songs: SongList(.init(name: "songs", songs: [song], isSetlist: false)), ports: ports,
            master: [], reports: reports)
    }

    private func filled() -> NodeReports {
        var reports = NodeReports(of: ActiveSchedule(schedule))
        for (index, value) in [Float(12.5), 1, 1, -6].enumerated() {
            _ = reports.receive(.value(node: 0, report: Int32(index), value: value))
        }
        _ = reports.receive(.totalLoad(mean: 0, worst: 0))
        return reports
    }

    @Test("has addresses next to the parameters; a parameter of the same name keeps its address")
    func addresses() {
        #expect(
            filled().entries == [
                NodeReport("n.reports.position", .number(12.5), unit: "s"),
                NodeReport("n.state", .text("busy")), NodeReport("n.on", .toggle(true)),
                NodeReport("n.reports.bypass", .number(-6), unit: "dB"),
                NodeReport("n.file", .text("one.wav 1.0")),
            ])
    }

    @Test("is read at its short and its long address, which the answer repeats")
    func reading() throws {
        let space = try space(filled())
        func read(_ address: String) throws -> AddressSpace.Operation {
            try space.operation(for: .get(address), from: .remote)
        }
        #expect(try read("n.state") == .answer([.init("n.state", .text("busy"))]))
        #expect(try read("n.reports.state") == .answer([.init("n.reports.state", .text("busy"))]))
        #expect(try read("n.position") == .answer([.init("n.position", .number(5))]))
        #expect(
            try read("n.reports.position")
                == .answer([.init("n.reports.position", .number(12.5))]))
        #expect(try read("n.bypass") == .answer([.init("n.bypass", .toggle(false))]))
        #expect(throws: AddressSpace.Refusal.self) { try read("n.reports.none") }
    }

    @Test("cannot be set, bound or learnt", arguments: ["n.state", "n.file", "n.reports.position"])
    func readOnly(address: String) throws {
        let space = try space(filled())
        for request in [
            SessionRequest.set(address, .number(1)), .set("learn", .text(address)),
        ] {
            do {
                let operation = try space.operation(for: request, from: .here)
                Issue.record("\(operation)")
            } catch {
                #expect(error.message == "\"\(address)\" is read-only: the node reports it")
            }
        }
        let scene = Self.text.replacing(
            "\"nodes\"", with: "\"scenes\": { \"s\": { \"\(address)\": 1 } }, \"nodes\"")
        let binding = Self.text.replacing(
            "\"nodes\"", with: "\"midi\": [ { \"cc\": 7, \"to\": \"\(address)\" } ], \"nodes\"")
        let parameter = Self.text.replacing(
            "\"reporting\"",
            with: "\"reporting\", \"parameters\": { \"\(address.dropFirst(2))\": 1 }")
        for text in [scene, binding, parameter] {
            do {
                _ = try Pipeline(decoding: Array(text.utf8), file: "p.json", catalogue: catalogue)
                Issue.record("\(text) is accepted")
            } catch {
                #expect(error.diagnostics.count == 1)
                #expect(error.diagnostics.first?.message.contains("read-only") == true)
            }
        }
    }

    @Test("has no value before its node has run")
    func unknown() throws {
        let reports = NodeReports(of: ActiveSchedule(schedule))
        #expect(reports.entries.count == 5)
        #expect(reports.entries.allSatisfy { $0.value == nil })
        let space = try space(reports)
        #expect(throws: AddressSpace.Refusal.self) {
            try space.operation(for: .get("n.state"), from: .here)
        }
        #expect(try space.operation(for: .reports, from: .here) == .answerReports(reports.entries))
    }

    @Test("changes are returned once; texts follow with the load of the cycle")
    func changes() {
        var reports = filled()
        let same = reports.receive(.value(node: 0, report: 1, value: 1))
        #expect(same.isEmpty)
        let state = reports.receive(.value(node: 0, report: 1, value: 0))
        #expect(state == [NodeReport("n.state", .text("idle"))])
        let text = reports.receive(.totalLoad(mean: 0, worst: 0))
        #expect(text == [NodeReport("n.file", .text("one.wav 0.0"))])
        label.set("two.wav")
        let other = reports.receive(.totalLoad(mean: 0, worst: 0))
        #expect(other == [NodeReport("n.file", .text("two.wav 0.0"))])
        let again = reports.receive(.totalLoad(mean: 0, worst: 0))
        #expect(again.isEmpty)
        let indices: [(node: Int32, report: Int32)] = [(1, 0), (-1, 0), (0, 4), (0, -1)]
        for (node, report) in indices {
            let unknown = reports.receive(.value(node: node, report: report, value: 9))
            #expect(unknown.isEmpty)
        }
    }

    @Test("keeps its values when another schedule has the same node")
    func following() {
        var reports = filled()
        let before = reports.entries
        reports.follow(ActiveSchedule(schedule))
        #expect(reports.entries == before)
    }

    @Test("reaches watchers and the status from a playing session")
    func playing() throws {
        let stage = try Stage(
            "\"inputs\": { \"in\": {} }, \"nodes\": [ { \"id\": \"m\", \"type\": \"meter\" } ]")
        #expect(stage.ask("m.rms", .number(1)) != .done)
        // Levels are reported a dozen times per second.
        _ = stage.play([Float](repeating: 0.5, count: 48_000))
        guard case .number(let rms)? = stage.value("m.rms") else {
            Issue.record("there is no RMS")
            return
        }
        #expect(abs(rms + 6.02) < 0.01)
        #expect(stage.value("m.reports.rms") == .number(rms))
        #expect(
            stage.events.contains(.reportChanged(NodeReport("m.rms", .number(rms), unit: "dB"))))
        stage.session.publishStatus(roundTripFrames: 0)
        guard case .status(let status)? = stage.events.last else {
            Issue.record("there is no status")
            return
        }
        #expect(status.reports.map(\.address) == ["m.peak", "m.rms"])
        #expect(status.reports.last?.value == .number(rms))
    }
}

/// A kernel that outputs silence.
private struct SilentKernel: Kernel, ~Copyable {
    var latencyFrames: Int { 0 }
    var tailFrames: Int? { 0 }

    mutating func run(_ block: UnsafePointer<RTBlock>) {}

    mutating func set(_ parameter: Int32, to value: Float) {}

    mutating func reset() {}
}
