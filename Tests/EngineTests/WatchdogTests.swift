import Engine
import Testing

@Suite("The plugin watchdog")
struct WatchdogTests {
    static let blockLengths = [32, 64, 128, 256, 512, 1024, 2048, 4096]

    /// A watchdog with one tick per frame: a period of 64 frames has 64 ticks, and 20 ms are 960.
    private final class Watched {
        static let sampleRate = 48000
        let frames: Int
        var dog = Watchdog(sampleRate: Double(sampleRate), ticksPerFrame: 1)
        var machineOverruns: UInt32 = 0

        init(frames: Int = 64) {
            self.frames = frames
            for _ in 0...Self.sampleRate / 2 / frames { _ = judge(10) }
        }

        /// Judges cycles of the given ticks; returns whether any of them was one overrun too many.
        func judge(_ ticks: UInt64...) -> Bool {
            ticks.map { dog.judge($0, frames: frames, machineOverruns: machineOverruns) }
                .contains { $0 > 0 }
        }

        /// Judges cycles without overruns for some seconds of sound.
        func judgePunctual(seconds: Int) -> Bool {
            (0...Self.sampleRate * seconds / frames).map { _ in judge(UInt64(frames / 2)) }
                .contains(true)
        }

        /// Judges a plugin that takes 50 ms in every hundredth run; returns the seconds until it is
        /// stopped.
        func secondsOfLateRuns(atMost seconds: Int) -> Double? {
            for run in 1...Self.sampleRate * seconds / frames {
                if judge(run % 100 == 0 ? 2400 : 10) {
                    return Double(run * frames) / Double(Self.sampleRate)
                }
            }
            return nil
        }
    }

    @Test("three cycles of eight beyond their period are too many")
    func repeated() {
        let watched = Watched()
        #expect(!watched.judge(65, 10, 10, 10, 65, 10))
        #expect(watched.judge(65))
        #expect(watched.dog.hasStopped)
    }

    @Test(
        "a plugin that takes 50 ms in every hundredth run is stopped if that is an overrun",
        arguments: blockLengths)
    func lateNowAndThen(frames: Int) throws {
        let seconds = Watched(frames: frames).secondsOfLateRuns(atMost: 60)
        guard frames < 2400 else { return #expect(seconds == nil) }
        // Three hundred runs contain three overruns.
        #expect(try #require(seconds) <= Double(300 * frames) / 48000 + 0.001)
    }

    @Test("twelve short overruns within ten seconds are too many, a few are not")
    func short() {
        let watched = Watched()
        for _ in 0..<11 {
            #expect(!watched.judge(100))
            #expect(!watched.judge(10, 10, 10, 10, 10, 10, 10, 10))
        }
        #expect(watched.judge(100))
    }

    @Test(
        "an occasional stall of 50 ms stops no plugin, at any block size",
        arguments: blockLengths)
    func rareStalls(frames: Int) {
        let watched = Watched(frames: frames)
        for _ in 0..<20 {
            #expect(!watched.judge(2400))
            #expect(!watched.judgePunctual(seconds: 21))
        }
        #expect(!watched.dog.hasStopped)
    }

    @Test("one run of more than half a second is enough")
    func endless() {
        #expect(!Watched().judge(24_000))
        #expect(Watched().judge(24_001))
    }

    @Test(
        "a plugin is not stopped if the machine overruns as often as the plugin",
        arguments: blockLengths)
    func lateMachine(frames: Int) {
        let watched = Watched(frames: frames)
        for _ in 0..<100 {
            #expect(!watched.judge(UInt64(frames) + 300))
            #expect(!watched.judgePunctual(seconds: 1))
            watched.machineOverruns &+= 1
        }
        #expect(!watched.dog.hasStopped)
    }

    @Test("an occasional overrun of the machine does not excuse frequent overruns of a plugin")
    func noExcuse() {
        let watched = Watched(frames: 512)
        watched.machineOverruns = 1
        #expect(!watched.judge(2400))
        #expect(!watched.judgePunctual(seconds: 1))
        #expect(!watched.judge(2400))
        #expect(!watched.judgePunctual(seconds: 1))
        #expect(watched.judge(2400))
    }

    @Test("the first half second does not count")
    func start() {
        var dog = Watchdog(sampleRate: 48000, ticksPerFrame: 1)
        for _ in 0..<374 { #expect(dog.judge(5000, frames: 64, machineOverruns: 0) == 0) }
    }

    @Test("after a reset, it counts from zero")
    func forgiven() {
        let watched = Watched()
        #expect(watched.judge(65, 65, 65))
        watched.dog.forgive()
        #expect(!watched.dog.hasStopped)
        #expect(!watched.judge(65, 65))
        #expect(watched.judge(65))
    }

    @Test("one node that runs for a second is stuck, and is reported once")
    func stuck() {
        var watch = StuckWatch()
        #expect(watch.stuckNode(2, 7, at: 0) == nil)
        #expect(watch.stuckNode(2, 7, at: 900_000_000) == nil)
        #expect(watch.stuckNode(2, 7, at: 1_100_000_000)?.node == 2)
        #expect(watch.stuckNode(2, 7, at: 1_200_000_000) == nil)
        // Another run of the same node shows progress.
        #expect(watch.stuckNode(2, 9, at: 3_000_000_000) == nil)
        #expect(watch.stuckNode(-1, 9, at: 9_000_000_000) == nil)
    }

    // MARK: The machine

    @Test(
        "a cycle over two periods after the last counts for the machine, except after an overrun"
    )
    func lateStart() {
        var watch = MachineWatch()
        func play(at start: UInt64, isOverrun: Bool = false, byPlugin: Bool = false) {
            watch.begin(at: start, frames: 64, ticksPerFrame: 1)
            watch.end(
                frames: 64, isOverrun: isOverrun, hasPluginOverrun: byPlugin, sampleRate: 48000)
        }
        play(at: 1000)
        play(at: 1064)
        #expect(watch.overruns == 0)
        play(at: 1200)
        #expect(watch.overruns == 1)
        // A plugin's overrun, and the server's recovery from it.
        play(at: 1264, isOverrun: true, byPlugin: true)
        play(at: 2000)
        #expect(watch.overruns == 1)
        var start: UInt64 = 2000
        for _ in 0..<400 {
            start += 64
            play(at: start)
        }
        play(at: start + 200)
        #expect(watch.overruns == 2)
        // An overrun without a plugin's overrun.
        play(at: start + 264, isOverrun: true)
        #expect(watch.overruns == 3)
    }
}
