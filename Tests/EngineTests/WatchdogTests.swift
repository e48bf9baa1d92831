import Engine
import Testing

@Suite("The watchdog over plugins")
struct WatchdogTests {
    /// A period of 64 frames takes 64 ticks here; 20 ms are 960.
    private final class Watched {
        var dog = Watchdog(sampleRate: 48000, ticksPerFrame: 1)

        /// Takes in cycles of so many ticks each; whether any of them was one too many.
        func judge(_ ticks: UInt64...) -> Bool {
            ticks.map { dog.judge($0, frames: 64) }.contains { $0 > 0 }
        }

        func passStart() { for _ in 0..<376 { _ = judge(10) } }
    }

    @Test("three cycles of eight beyond their period are too many")
    func repeated() {
        let watched = Watched()
        watched.passStart()
        #expect(!watched.judge(65, 10, 10, 10, 65, 10))
        #expect(watched.judge(65))
        #expect(watched.dog.hasStopped)
    }

    @Test("a hiccup now and then is none of a plugin's")
    func hiccups() {
        let watched = Watched()
        watched.passStart()
        for _ in 0..<20 { #expect(!watched.judge(900, 10, 10, 10, 10, 10, 10, 10)) }
        #expect(!watched.dog.hasStopped)
    }

    @Test("one cycle of more than ten periods and 20 ms is enough")
    func farTooLong() {
        let watched = Watched()
        watched.passStart()
        #expect(!watched.judge(960))
        #expect(watched.judge(961))
    }

    @Test("the first half second does not count")
    func start() {
        let watched = Watched()
        for _ in 0..<374 { #expect(!watched.judge(5000)) }
    }

    @Test("forgiven, it counts anew")
    func forgiven() {
        let watched = Watched()
        watched.passStart()
        #expect(watched.judge(65, 65, 65))
        watched.dog.forgive()
        #expect(!watched.dog.hasStopped)
        #expect(!watched.judge(65, 65))
        #expect(watched.judge(65))
    }

    @Test("who is in one node for a second is stuck there, and that is told once")
    func stuck() {
        var watch = StuckWatch()
        #expect(watch.stuckNode(2, 7, at: 0) == nil)
        #expect(watch.stuckNode(2, 7, at: 900_000_000) == nil)
        #expect(watch.stuckNode(2, 7, at: 1_100_000_000)?.node == 2)
        #expect(watch.stuckNode(2, 7, at: 1_200_000_000) == nil)
        // Another run of the same node is news of life.
        #expect(watch.stuckNode(2, 9, at: 3_000_000_000) == nil)
        #expect(watch.stuckNode(-1, 9, at: 9_000_000_000) == nil)
    }
}
