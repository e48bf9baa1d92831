internal import CRealtime
internal import Glibc
internal import JackHost
internal import Pipelines
internal import SessionCore
internal import Synchronization

/// A thread that makes random changes for some seconds, and then stops the session.
final class Stressor: Sendable {
    /// The actions performed, by name.
    struct Summary: CustomStringConvertible {
        var counts: [String: Int] = [:]

        var description: String {
            counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
                .joined(separator: ", ")
        }
    }

    private let songs: [Song]
    private let versions: [[Song]]
    private let targets: [[MovableTarget]]
    private let remote: SessionRemote
    private let seconds: Double
    private let seed: UInt64
    private let done = Mutex(Summary())
    private let song = Atomic<Int>(0)

    /// Creates a thread for songs, and for the versions of them that edits choose from; without
    /// versions, edits insert nodes.
    init(
        songs: [Song], versions: [[Song]], sampleRate: Double, remote: SessionRemote,
        seconds: Double, seed: UInt64
    ) {
        self.songs = songs
        self.versions = versions
        targets = songs.map { MovableTarget.all(of: $0.pipeline, sampleRate: sampleRate) }
        self.remote = remote
        self.seconds = seconds
        self.seed = seed
    }

    var summary: Summary { done.withLock { $0 } }

    /// Records the index of the current song.
    func note(song index: Int) { song.store(index, ordering: .relaxed) }

    /// Counts an event that shows the effect of a change.
    func note(_ event: SessionEvent) {
        switch event {
        case .song(let number, _):
            note(song: number - 1)
            count("songs begun")
        case .scene: count("scenes applied")
        case .cue: count("cues announced")
        case .compared: count("comparisons heard")
        case .valueChanged: count("values reported")
        case .status(let status):
            if let second = status.coreLoads.dropFirst().first, second > 0 {
                count("loads of a second core")
            }
        default: break
        }
    }

    /// Starts the thread; noise is sent to all inputs of the client.
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
            stressor.count("messages received", noise?.heardCount ?? 0)
            noise?.close()
            stressor.remote.stop()
        }
    }

    private func work(_ noise: NoiseClient?) {
        var random = SeededRandom(seed: seed)
        var actions = RandomActions(
            songs, versions: versions, remote: remote, jack: noise?.handle)
        let end = rt_nanoseconds() + UInt64(seconds * 1e9)
        var round = 0
        while rt_nanoseconds() < end {
            let index = song.load(ordering: .relaxed)
            if targets.indices.contains(index),
                let target = targets[index].randomElement(using: &random)
            {
                actions.ask(target.request(using: &random))
                count("changes")
            }
            if round % 16 == 15 { count(actions.act(using: &random)) }
            round += 1
            usleep(3_000)
        }
    }

    private func count(_ name: String, _ more: Int = 1) {
        done.withLock { $0.counts[name, default: 0] += more }
    }
}
