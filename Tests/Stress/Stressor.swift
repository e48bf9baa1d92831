internal import CJack
internal import CRealtime
internal import Engine
internal import Glibc
internal import JackHost
internal import Pipelines
internal import Synchronization

/// A thread that moves what may move for so many seconds, and then stops the session.
final class Stressor: Sendable {
    /// What was done.
    struct Summary: CustomStringConvertible {
        var changes = 0
        var blockLengths = 0

        var description: String { "\(changes) changes, \(blockLengths) block lengths" }
    }

    private let targets: [MovableTarget]
    private let remote: SessionRemote
    private let seconds: Double
    private let seed: UInt64
    private let done = Mutex(Summary())
    private static let blockFrames: [UInt32] = [256, 32, 128, 1024, 16, 64]

    init(
        pipeline: Pipeline, sampleRate: Double, remote: SessionRemote, seconds: Double,
        seed: UInt64
    ) {
        targets = MovableTarget.all(of: pipeline, sampleRate: sampleRate)
        self.remote = remote
        self.seconds = seconds
        self.seed = seed
    }

    var summary: Summary { done.withLock { $0 } }

    /// Starts the thread; noise goes into all inputs of the client.
    func start(client: String) {
        let noise = NoiseClient(into: client)
        let job = Unmanaged.passRetained(Job(stressor: self, noise: noise))
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { job in
                guard let job else { return nil }
                Unmanaged<Job>.fromOpaque(job).takeRetainedValue().run()
                return nil
            }, job.toOpaque())
        pthread_detach(thread)
    }

    private final class Job: Sendable {
        let stressor: Stressor
        let noise: NoiseClient?

        init(stressor: Stressor, noise: NoiseClient?) {
            self.stressor = stressor
            self.noise = noise
        }

        func run() {
            stressor.work(noise)
            noise?.close()
            stressor.remote.stop()
        }
    }

    private func work(_ noise: NoiseClient?) {
        var random = SeededRandom(seed: seed)
        let end = rt_nanoseconds() + UInt64(seconds * 1e9)
        var round = 0
        while rt_nanoseconds() < end {
            if let target = targets.randomElement(using: &random) {
                remote.send(target.command(using: &random))
                done.withLock { $0.changes += 1 }
            }
            if round % 48 == 47 { changeBlockLength(noise) }
            round += 1
            usleep(3_000)
        }
    }

    private func changeBlockLength(_ noise: NoiseClient?) {
        guard let noise else { return }
        let place = done.withLock { summary in
            summary.blockLengths += 1
            return summary.blockLengths % Self.blockFrames.count
        }
        jack_set_buffer_size(noise.handle, Self.blockFrames[place])
    }
}

/// The same numbers for the same seed: xorshift64* of Vigna 2016.
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next() -> UInt64 {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return state &* 0x2545_F491_4F6C_DD1D
    }
}
