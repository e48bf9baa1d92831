import Engine
import SessionCore
import Synchronization
import Testing

@Suite("The master section")
struct MasterSectionTests {
    private let ring = FakeRing()
    private let events = EventStream()
    private let log = EventLog()
    private let master: MasterSection

    init() {
        master = MasterSection(
            tempo: 120, commands: CommandQueue(for: ring), events: events)
        events.watch(for: ObjectIdentifier(log)) { [log] in log.add($0) }
    }

    @Test("sends each change to the engine and to watchers")
    func changes() {
        master.setTempo(90)
        master.setMute(true)
        master.setGain(decibels: -120)
        #expect(ring.names == ["tempo", "mute", "masterGain"])
        #expect(
            log.all == [
                .valueChanged(.init("tempo", .number(90))),
                .valueChanged(.init("mute", .toggle(true))),
                .valueChanged(.init("gain", .number(-120))),
            ])
    }

    @Test("sets the tempo of taps, within the range")
    func taps() {
        master.tap(atNanoseconds: 1_000_000_000)
        #expect(master.tempo == 120)
        master.tap(atNanoseconds: 1_400_000_000)
        #expect(abs(master.tempo - 150) < 1e-9)
        master.tap(atNanoseconds: 1_400_000_001)
        #expect(master.tempo <= MasterSection.tempoRange.upperBound)
        // After a pause, a tap starts a new count.
        master.tap(atNanoseconds: 9_000_000_000)
        master.tap(atNanoseconds: 10_000_000_000)
        #expect(abs(master.tempo - 60) < 1e-9)
    }

    @Test("learns one address at a time")
    func learning() {
        #expect(master.finishLearning() == nil)
        master.learn("a.gain")
        master.learn("b.gain")
        #expect(master.finishLearning() == "b.gain")
        #expect(master.finishLearning() == nil)
        #expect(log.all.last == .valueChanged(.init("learn", .text(""))))
    }

    @Test("of another session passes on tempo, mute and gain, but not the address to learn")
    func adoption() {
        master.setTempo(93)
        master.setMute(true)
        master.setGain(decibels: -6)
        master.learn("a.gain")
        let next = MasterSection(
            tempo: 120, commands: CommandQueue(for: ring), events: events)
        next.adopt(master)
        #expect(next.tempo == 93 && next.isMuted && next.gainDecibels == -6)
        #expect(next.learnedAddress == nil)
    }
}

@Suite("Commands for a full ring")
struct CommandQueueTests {
    @Test("wait in order, the latest of each kind")
    func waiting() {
        let ring = FakeRing()
        let queue = CommandQueue(for: ring)
        ring.isFull = true
        queue.send(.mute(true))
        queue.send(.tempo(beatsPerMinute: 90))
        queue.send(.mute(false))
        queue.retry()
        #expect(ring.names == [])
        ring.isFull = false
        // A command that must not wait goes to the engine directly.
        #expect(ring.send(.silence))
        // A new command does not overtake a waiting one.
        queue.send(.endTails)
        #expect(ring.names == ["silence"])
        queue.retry()
        #expect(ring.names == ["silence", "tempo", "mute", "endTails"])
    }
}

/// A ring that keeps the names of commands.
final class FakeRing: CommandSink, Sendable {
    private let state = Mutex((isFull: false, names: [String]()))

    var names: [String] { state.withLock { $0.names } }
    var isFull: Bool {
        get { state.withLock { $0.isFull } }
        set { state.withLock { $0.isFull = newValue } }
    }

    func send(_ command: Command) -> Bool {
        state.withLock { state in
            guard !state.isFull else { return false }
            state.names.append(String("\(command)".prefix { $0 != "(" }))
            return true
        }
    }
}
