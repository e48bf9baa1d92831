import CRealtime
import Engine
import Glibc
import LV2
import Processing
import Synchronization
import Testing

/// The plugins in this suite double their input.
@Suite("Plugins that take too long", .serialized)
struct SlowPluginTests {
    @Test(
        "a plugin that overruns its period is stopped, and its dry signal passes",
        arguments: ["sleeper", "burner"])
    func stopped(_ name: String) throws {
        let playing = try watched(name)
        playing.set(0, 1)
        playing.play(100)
        #expect(playing.stopCount == 1)
        let count = playing.sound.count
        #expect(Array(playing.sound.suffix(640)) == (count - 640..<count).map(playing.signal))
        #expect(playing.largestStep <= LivePlaying.lawfulStep)
    }

    @Test(
        "a plugin that takes 50 ms in every hundredth run is stopped if that is an overrun",
        arguments: [32, 64, 128, 256, 512, 1024])
    func hiccups(blockFrames: Int) throws {
        let playing = try watched("hiccup", blockFrames: blockFrames)
        playing.set(0, 1)
        // A busy machine may overrun between two of them, which excuses one.
        for _ in 0..<20 where playing.stopCount == 0 { playing.play(100) }
        // The report is sent with the meters.
        playing.play(max(1, 8000 / blockFrames))
        #expect(playing.stopCount == 1)
        #expect(playing.isFinite)
    }

    @Test("a plugin that takes 50 ms of a period of 85 ms causes no overrun")
    func inTime() throws {
        let playing = try watched("hiccup", blockFrames: 4096)
        playing.set(0, 1)
        playing.play(300)
        #expect(playing.stopCount == 0)
    }

    @Test("a plugin that overruns once, and again half a minute later, plays on")
    func rareStalls() throws {
        let playing = try watched("hiccup", blockFrames: 1024)
        for _ in 0..<4 {
            playing.set(0, 1)
            playing.play(100)
            playing.set(0, 0)
            playing.play(1400)
        }
        #expect(playing.stopCount == 0)
        let count = playing.sound.count
        #expect(
            Array(playing.sound.suffix(640)) == (count - 640..<count).map { 2 * playing.signal($0) }
        )
    }

    @Test("disabling the bypass tries the plugin again")
    func retried() throws {
        let playing = try watched("burner")
        playing.set(0, 1)
        playing.play(100)
        #expect(playing.stopCount == 1)
        playing.set(0, 0)
        playing.set(Int32(RTTargetBypass.rawValue), 0)
        playing.play(100)
        let count = playing.sound.count
        let loud = (count - 640..<count).map { 2 * playing.signal($0) }
        #expect(Array(playing.sound.suffix(640)) == loud)
        #expect(playing.largestStep <= LivePlaying.lawfulStep)
    }

    @Test("without a watchdog, as offline, nothing is stopped")
    func unwatched() throws {
        let playing = try LivePlaying("urn:stompline-test:burner")
        playing.play(400)
        playing.set(0, 1)
        playing.play(20)
        playing.set(0, 0)
        playing.play(100)
        #expect(playing.stopCount == 0)
    }

    /// Returns a plugin that has played past its first half second.
    private func watched(_ name: String, blockFrames: Int = 64) throws -> LivePlaying {
        let playing = try LivePlaying("urn:stompline-test:" + name, blockFrames: blockFrames)
        playing.play(400)
        playing.engine.watchPlugins(true)
        playing.play(25_600 / blockFrames + 1)
        return playing
    }

    @Test("a plugin that never returns is named while the audio thread is in it")
    func endless() throws {
        let playing = try LivePlaying("urn:stompline-test:endless")
        playing.play(4)
        #expect(playing.engine.stuckNode(atNanoseconds: 0) == nil)
        #expect(playing.engine.stuckNode(atNanoseconds: 5_000_000_000) == nil)
        playing.set(0, 1)
        // The thread stays in the plugin permanently, with all objects that it uses.
        let context = Unmanaged.passRetained(playing)
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<LivePlaying>.fromOpaque(context).takeUnretainedValue().play(1)
                return nil
            }, context.toOpaque())
        var now: UInt64 = 10_000_000_000
        var stuck: (node: String, seconds: Double)?
        for _ in 0..<2000 where stuck == nil {
            usleep(1_000)
            now += 10_000_000
            stuck = playing.engine.stuckNode(atNanoseconds: now)
        }
        #expect(stuck?.node == "plugin")
    }

    @Test(
        "while a plugin's creation takes five seconds, the engine continues",
        .timeLimit(.minutes(1))
    )
    func slowInstantiation() throws {
        let playing = try LivePlaying("http://lv2plug.in/plugins/eg-amp")
        let preparation = Preparing()
        preparation.start()
        var blocks = 0
        while !preparation.isDone {
            playing.play(10)
            blocks += 10
            usleep(1_000)
        }
        #expect(preparation.hasProcessor)
        #expect(blocks > 100)
        #expect(playing.sound.count == blocks * 64)
    }
}

/// A slow plugin made on another thread, in the same world as the playing plugin.
private final class Preparing: Sendable {
    private let state = Mutex<(isDone: Bool, hasProcessor: Bool)>((false, false))

    var isDone: Bool { state.withLock { $0.isDone } }
    var hasProcessor: Bool { state.withLock { $0.hasProcessor } }

    func start() {
        let context = Unmanaged.passRetained(self)
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<Preparing>.fromOpaque(context).takeRetainedValue().prepare()
                return nil
            }, context.toOpaque())
        pthread_detach(thread)
    }

    private func prepare() {
        let playing = try? LivePlaying("urn:stompline-test:slow")
        state.withLock { $0 = (true, playing != nil) }
    }
}

extension LivePlaying {
    /// The number of times that the plugin was stopped.
    fileprivate var stopCount: Int {
        reports.count { if case .stopped = $0 { true } else { false } }
    }
}
