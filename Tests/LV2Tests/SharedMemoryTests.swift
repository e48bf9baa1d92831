import CRealtime
import Engine
import Glibc
import LV2
import Processing
import Testing

/// The plugins in this suite double their input until they attack.
@Suite("A plugin process that attacks the shared memory", .serialized)
struct SharedMemoryTests {
    private static let attacks = ["share-zero", "share-random", "share-spin"]

    @Test("the memory keeps its length, whatever the plugin's process requests")
    func sealed() throws {
        let playing = try LivePlaying("urn:stompline-test:share-truncate", ", \"isolate\": true")
        playing.play(50, isPaced: true)
        playing.set(0, 1)
        var answer: Float?
        for _ in 0..<200 where answer == nil {
            playing.play(20, isPaced: true)
            answer =
                playing.reports.reversed().lazy.compactMap { report in
                    if case .value(_, _, let value) = report, value != 0 { value } else { nil }
                }.first
        }
        // 2: every change of the length was refused; 1: at least one was not.
        #expect(answer == 2)
        #expect(playing.isFinite)
    }

    @Test(
        "a process that overwrites the memory or spins is terminated; the dry signal remains",
        .timeLimit(.minutes(3)), arguments: attacks, ["true", "\"same-cycle\""])
    func attack(_ name: String, _ isolate: String) throws {
        let uri = "urn:stompline-test:" + name
        let playing = try LivePlaying(
            uri, ", \"isolate\": \(isolate), \"parameters\": { \"trigger\": true }",
            realtimePriority: 10)
        let end = playing.play(seconds: 40) { if case .abandoned = $0 { true } else { false } }
        guard case .abandoned(let reason) = try #require(end) else { return }
        let known = [
            HostEnding.overwritten, HostEnding.processor, "has not answered", "exited with status",
            "terminated by signal",
        ]
        #expect(known.contains { reason.contains($0) }, "\(reason)")
        let losses = playing.incidents.count { if case .lost = $0 { true } else { false } }
        #expect(losses == 3)
        #expect(LivePlaying.hosts(of: uri).isEmpty)
        playing.play(100)
        let count = playing.sound.count
        let delay = isolate == "true" ? 64 : 0
        let dry = (count - 640..<count).map { playing.signal($0 - delay) }
        #expect(Array(playing.sound.suffix(640)) == dry)
        #expect(playing.isFinite)
    }

    @Test(
        "a process that spins at real-time priority is terminated by its processor time limit",
        .enabled(if: mayHurry))
    func spin() throws {
        let playing = try LivePlaying(
            "urn:stompline-test:share-spin", ", \"isolate\": true", realtimePriority: 10)
        playing.play(50, isPaced: true)
        playing.set(0, 1)
        let lost = playing.play { if case .lost = $0 { true } else { false } }
        guard case .lost(let reason) = try #require(lost) else { return }
        #expect(reason.contains(HostEnding.processor), "\(reason)")
        #expect(playing.isFinite)
    }

    @Test(
        "random writes to all of the memory leave 100,000 cycles complete and finite",
        .timeLimit(.minutes(5)), arguments: ["true", "\"same-cycle\""])
    func fuzzed(_ isolate: String) throws {
        let playing = try LivePlaying(
            "urn:stompline-test:fuzzed", ", \"isolate\": \(isolate)",
            world: HostileBundle.fuzzingWorld)
        playing.play(100_000)
        #expect(playing.isFinite)
        // Some of the random numbers are not finite, which shows that the memory was read. On a busy
        // machine, the attacker may have hardly run during the cycles.
        var hasRead: Bool {
            playing.reports.contains { if case .nonFinite = $0 { true } else { false } }
        }
        for _ in 0..<30_000 where !hasRead { playing.play(1, isPaced: true) }
        #expect(hasRead)
        #expect(playing.isFinite)
    }

    @Test("a process that writes random positions is abandoned repeatedly", .timeLimit(.minutes(2)))
    func fuzzedPositions() throws {
        let playing = try LivePlaying(
            "urn:stompline-test:fuzzed-positions", ", \"isolate\": true",
            world: HostileBundle.fuzzingWorld)
        let end = playing.play(seconds: 40) { if case .abandoned = $0 { true } else { false } }
        guard case .abandoned(let reason) = try #require(end) else { return }
        #expect(reason.contains(HostEnding.overwritten), "\(reason)")
        #expect(playing.isFinite)
    }

    /// Whether this process may give a thread real-time priority.
    private static var mayHurry: Bool {
        var parameters = sched_param()
        parameters.sched_priority = 10
        let policy = sched_getscheduler(0)
        guard sched_setscheduler(0, SCHED_FIFO, &parameters) == 0 else { return false }
        parameters.sched_priority = 0
        return sched_setscheduler(0, policy, &parameters) == 0
    }
}

/// Parts of the reasons for which a process is abandoned.
private enum HostEnding {
    static let overwritten = "the shared memory was overwritten"
    static let processor = "it used the processor longer than a real-time thread may"
}
