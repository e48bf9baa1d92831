import Engine
import Pipelines
import Processing
import SessionCore
import Testing

@Suite("Events of reports")
struct ReportPublisherTests {
    private let events = EventStream()
    private let log = EventLog()
    private let publisher: ReportPublisher
    private let schedule: Schedule

    init() throws {
        let node = "\"nodes\": [ { \"id\": \"a\", \"type\": \"gain\" } ]"
        let song = try Stage.song(
            """
            "inputs": { "mic": {} }, "outputs": { "main": { "channels": 2 } }, \(node)
            """, name: "song")
        // The other song has an output with the name of an input.
        let other = try Stage.song(
            "\"inputs\": { \"in\": {} }, \"outputs\": { \"mic\": {} }, \(node)", name: "other")
        var ports = EnginePorts()
        for song in [song, other] { _ = ports.add(song.pipeline) }
        schedule = try Schedule(
            preparing: song.pipeline, catalogue: Stage.catalogue,
            format: AudioFormat(sampleRate: 48_000, maximumBlockFrames: 64), ports: ports)
        publisher = ReportPublisher(
            active: ActiveSchedule(schedule), ports: ports, events: events)
        events.watch(for: ObjectIdentifier(log)) { [log] in log.add($0) }
    }

    private func publish(_ reports: Report..., countsOverruns: Bool = true) {
        for report in reports { publisher.publish(report, countsOverruns: countsOverruns) }
    }

    @Test("name ports, including an output with the name of an input")
    func ports() {
        publish(
            .inputLevel(channel: 0, peak: 1, rms: 0.5), .outputLevel(channel: 0, peak: 1, rms: 0),
            .outputLevel(channel: 2, peak: 1, rms: 1), .outputLevel(channel: 9, peak: 1, rms: 1))
        let names = log.all.compactMap { event -> String? in
            if case .level(let port, _, _) = event { port } else { nil }
        }
        #expect(names == ["mic", "main_1", "mic-out"])
        guard case .level(_, let peak, let rms)? = log.all.first else { return }
        #expect(peak == 0 && abs(rms + 6.02) < 0.01)
    }

    @Test("collect the levels of nodes into one event, without nodes that do not exist")
    func nodeLevels() {
        publish(
            .nodeLevel(node: 0, channel: 0, peak: 1, rms: 0.5),
            .nodeLevel(node: 0, channel: 1, peak: 0, rms: 0),
            .nodeLevel(node: 99, channel: 0, peak: 1, rms: 1))
        #expect(log.all.isEmpty)
        publisher.publishNodeLevels()
        publisher.publishNodeLevels()
        #expect(log.all.count == 1)
        guard case .nodeLevels(let levels)? = log.all.first else { return }
        #expect(levels.map(\.node) == ["a", "a"] && levels.map(\.channel) == [0, 1])
        #expect(levels[0].peak == 0 && abs(levels[0].rms + 6.02) < 0.01)
        #expect(levels[1].peak == -160)
    }

    @Test("repeat an error of a node at most once per second, and count dropped messages")
    func errors() {
        publish(.nonFinite(node: 0), .nonFinite(node: 0))
        publish(.droppedMessages(node: 0, count: 2), .droppedMessages(node: 0, count: 3))
        #expect(log.all == [.nonFinite(node: "a"), .messagesDropped(node: "a", count: 2)])
    }

    @Test("count overruns only in real time")
    func overruns() {
        let overrun = Overrun(
            periods: 1.5, nodePeriods: 1, playingPeriods: 1.5, ringingPeriods: 0)
        publish(.overrun(node: 0, overrun), countsOverruns: false)
        #expect(log.all.isEmpty)
        publish(.overrun(node: 0, overrun))
        #expect(log.all == [.overrun(node: "a", overrun)])
        #expect(publisher.summary(.requested, seconds: 1).overrunCycles == 1)
    }

    @Test("are collected in a status, which then starts again")
    func status() {
        publish(
            .outputLevel(channel: 1, peak: 0.5, rms: 0), .totalLoad(mean: 0.25, worst: 0.5),
            .load(node: 0, mean: 0.1, worst: 0.2), .limited(output: 0, gain: 0.75))
        publisher.addXruns(2, longestMilliseconds: nil)
        log.forget()
        for _ in 0..<2 { publisher.publishStatus(roundTripFrames: 480, schedules: 1) }
        let statuses = log.all.compactMap { event -> SessionStatus? in
            if case .status(let status) = event { status } else { nil }
        }
        #expect(statuses.count == 2)
        #expect(statuses[0].outputs.map(\.peak) == [0, 0.5, 0])
        #expect(statuses[0].worstLoad == 0.5 && statuses[0].limiterGain == 0.75)
        #expect(statuses[0].nodes.map(\.node) == ["a"])
        #expect(statuses[1].outputs.map(\.peak) == [0, 0, 0] && statuses[1].nodes.isEmpty)
        #expect(statuses.allSatisfy { $0.xruns == 2 && $0.roundTripFrames == 480 })
        let summary = publisher.summary(.durationOver, seconds: 3)
        #expect(summary.peak == 0.5 && summary.worstLoad == 0.5 && summary.xruns == 2)
    }

    @Test("of xruns come at once, then sum up a flood, with nothing lost at the end")
    func xruns() {
        for delay in [1.5, 7, 2.5] { publisher.addXruns(10, longestMilliseconds: delay) }
        #expect(xrunReports.map(\.count) == [10])
        publisher.publishDueXruns()
        #expect(xrunReports.map(\.count) == [10])
        #expect(publisher.summary(.requested, seconds: 1).xruns == 30)
        #expect(xrunReports.map(\.count) == [10, 20])
        #expect(xrunReports.map(\.longestMilliseconds) == [1.5, 7])
        #expect(xrunReports.allSatisfy { $0.firstSeconds > 1_700_000_000 })
        #expect(xrunReports.allSatisfy { $0.firstSeconds <= $0.lastSeconds })
    }

    /// The reports of xruns so far.
    private var xrunReports: [XrunReport] {
        log.all.compactMap { event in
            if case .xruns(let report) = event { report } else { nil }
        }
    }

    @Test("of xruns wait five seconds for the next one")
    func xrunPause() {
        let second: UInt64 = 1_000_000_000
        var limit = XrunLimit()
        func add(_ count: Int, at seconds: Double) {
            limit.add(
                XrunReport(
                    count: count, longestMilliseconds: nil, firstSeconds: seconds,
                    lastSeconds: seconds))
        }
        #expect(limit.popDue(atNanoseconds: 0) == nil)
        add(1, at: 1)
        #expect(limit.popDue(atNanoseconds: 1 * second)?.count == 1)
        add(2, at: 2)
        add(3, at: 3)
        #expect(limit.popDue(atNanoseconds: 3 * second) == nil)
        let flood = limit.popDue(atNanoseconds: 6 * second)
        #expect(flood?.count == 5 && flood?.firstSeconds == 2 && flood?.lastSeconds == 3)
        #expect(limit.popDue(atNanoseconds: 60 * second) == nil)
        add(1, at: 70)
        #expect(limit.popDue(atNanoseconds: 70 * second)?.count == 1)
    }

    @Test("announce another format, and the latency of a node")
    func formatAndLatency() throws {
        publisher.follow(ActiveSchedule(schedule))
        #expect(log.all.isEmpty)
        let other = try Schedule(
            preparing: schedule.pipeline, catalogue: Stage.catalogue,
            format: AudioFormat(sampleRate: 48_000, maximumBlockFrames: 128),
            ports: schedule.ports)
        publisher.follow(ActiveSchedule(other))
        publish(.latency(node: 0, frames: 33), .latency(node: 7, frames: 33))
        #expect(
            log.all == [
                .formatChanged(sampleRate: 48_000, blockFrames: 128, latencyFrames: 0),
                .latencyChanged(node: "a", nodeFrames: 33, latencyFrames: 33),
            ])
    }
}
