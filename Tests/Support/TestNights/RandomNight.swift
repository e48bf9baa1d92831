package import BlackBox
internal import Effects
internal import Engine
internal import Loopers
internal import OfflineHost
internal import Pipelines
internal import Players
package import Processing
internal import SessionCore
internal import Synchronization

/// A session with random songs, inputs, block sizes, changes, edits, MIDI and faults, which a black
/// box watches.
package final class RandomNight {
    /// The built-in effects, players, loopers, and the effect that fails.
    package static let catalogue = Catalogue(
        effects: EffectCatalogue.effects + [
            Player.effect(), Looper.effect(), FaultEffect.effect,
        ], plugins: NoPlugins(), permissions: Permissions(outsideFolder: true))

    /// The kinds of effects in a night.
    package static var kinds: [String] { RandomPipeline.kinds }

    /// Whether the effect of a kind notes its state, so that it is equal in a box without its
    /// beginning after some seconds.
    package static func notesState(kind: Int) -> Bool { RandomPipeline.notesState(kind: kind) }

    /// A fault that was injected.
    package enum Fault: String, CaseIterable, Sendable {
        case none, nan, slow, panic
        /// The program dies in the middle of a cycle.
        case death
    }

    package let fault: Fault
    /// The first frame of the call with the fault; `nil` before it.
    package private(set) var faultFrame: UInt64?
    /// The numbers of things that were done, for the report.
    package private(set) var counts: [String: Int] = [:]
    private var random: RandomSource
    private let session: Session
    private let box: BlackBox
    private var songs: [RandomPipeline]
    private var collection: [Song] = []
    private static let maximumFrames = 64
    private static let sampleRate = 48_000.0
    /// The number of cycles that a slow fault lasts.
    private let slowCycles: Int
    private let panics = PanicCount()
    private let buffers = NightBuffers(longestFrames: 300)
    private let sounds: NightSounds?
    /// Whether nothing changes.
    private let isSteady: Bool
    /// The input: in a night in which nothing changes, it depends on the seed.
    private let sound: NightBuffers.Sound
    /// What is done in a night in which nothing else changes, by the time.
    private var actions: [RandomPipeline.Action]
    private let workers: WorkerThreads

    /// Prepares a night.
    ///
    /// - Parameters:
    ///   - seed: The seed of everything that is random.
    ///   - memoryFolder: The folder for the memory of the black box.
    ///   - windowSeconds: The time that the box keeps.
    ///   - mostScheduleBytes: The largest size of the schedules in the box; `nil` for the usual one.
    ///   - fault: The fault; `nil` for a random one.
    ///   - hasSounds: Whether loopers and live players play, whose data may come late.
    ///   - coreCount: The number of cores that run the nodes; with several, songs have branches.
    ///   - kind: The only effect, by its index in `kinds`, which only its own actions change; `nil` for
    ///     random ones.
    ///   - haltsNodes: Whether the audio thread halts nodes after late cycles. Then each song has such a
    ///     node, a slow fault lasts for three cycles, and no two nights are equal.
    /// - Throws: `NightError` without memory, or an error of the session.
    package init(
        seed: UInt64, memoryFolder: String, windowSeconds: Double = 120,
        mostScheduleBytes: Int? = nil, fault: Fault? = nil, hasSounds: Bool = false,
        coreCount: Int = 1, kind: Int? = nil, haltsNodes: Bool = false
    ) throws {
        slowCycles = haltsNodes ? 3 : 1
        random = RandomSource(seed: seed)
        let drawn = random.pick([Fault.none, .nan, .slow, .panic])
        self.fault = kind == nil ? fault ?? drawn : Fault.none
        isSteady = kind != nil
        let inputs = NightBuffers.Sound.allCases
        sound = kind == nil ? .pauses : inputs[Int(seed % UInt64(inputs.count))]
        actions = kind.map { RandomPipeline.actions(kind: $0) } ?? []
        songs = []
        sounds = try hasSounds ? NightSounds(&random) : nil
        for _ in 0..<(kind == nil ? random.pick([1, 2, 3]) : 1) {
            var pipeline =
                kind.map { RandomPipeline(kind: $0) }
                ?? RandomPipeline(&random, sounds: sounds, hasBranches: coreCount > 1)
            if haltsNodes { pipeline.addReducible() }
            collection.append(try Self.song(pipeline, songs.count))
            songs.append(pipeline)
        }
        var options = BlackBox.Options(
            program: "test", name: "night", sampleRate: Self.sampleRate,
            blockFrames: Self.maximumFrames, inputChannels: 2, memoryFolder: memoryFolder)
        options.seconds = windowSeconds
        options.keepsSound = collection.contains { song in
            song.pipeline.nodes.contains { $0.description.keepsSound }
        }
        if let mostScheduleBytes { options.mostScheduleBytes = mostScheduleBytes }
        // The night is rendered much faster than in real time.
        options.ringSeconds = 60
        options.scheduleWaitSeconds = 60
        var message = ""
        guard let box = BlackBox(options, message: &message) else { throw NightError(message) }
        self.box = box
        var sessionOptions = Session.Options()
        sessionOptions.fadesIn = random.once(in: 2)
        sessionOptions.preparesOnThread = false
        sessionOptions.capture = box.capture
        // Usually only simulated lateness reduces nodes, so that a seed always plays the same night.
        sessionOptions.measuresLateness = haltsNodes
        sessionOptions.usesCoresAutomatically = false
        session = try Session(
            playing: SongCollection(
                name: "night", songs: collection, isSetlist: collection.count > 1),
            catalogue: Self.catalogue,
            format: AudioFormat(
                sampleRate: Self.sampleRate, maximumBlockFrames: Self.maximumFrames,
                isLive: hasSounds, coreCount: coreCount),
            options: sessionOptions)
        workers = WorkerThreads(session.engine)
        session.watch(for: ObjectIdentifier(panics)) { [panics] in panics.receive($0) }
        if sessionOptions.fadesIn { _ = session.engine.fadeIn(seconds: 0.05) }
    }

    private static func song(_ pipeline: RandomPipeline, _ index: Int) throws -> Song {
        Song(
            name: "song \(index + 1)",
            pipeline: try Pipeline(
                decoding: Array(pipeline.text.utf8), file: "song.json", catalogue: Self.catalogue),
            path: "")
    }

    // MARK: Playing

    /// Plays a number of seconds.
    package func play(seconds: Double) {
        let usesOddBlocks = random.once(in: 3)
        var slowCyclesLeft = 0
        let end = UInt64(seconds * Self.sampleRate)
        let faultAt = UInt64(Double(end) * Double.random(in: 0.3...0.8, using: &random))
        while session.engine.audio.frame < end {
            let frame = session.engine.audio.frame
            if frame >= faultAt, faultFrame == nil {
                inject(frame)
                slowCyclesLeft = slowCycles - 1
            } else if slowCyclesLeft > 0 {
                slowCyclesLeft -= 1
                if fault == .slow { beSlow() }
            }
            if random.once(in: 12), !isSteady { act() }
            while let action = actions.first,
                Double(frame) >= action.seconds * Self.sampleRate
            {
                let value = action.value.map { Value.number($0) } ?? .toggle(true)
                _ = perform(.set("n0.\(action.parameter)", value), "action")
                actions.removeFirst()
            }
            let frames =
                usesOddBlocks ? Int.random(in: 1...300, using: &random) : Self.maximumFrames
            render(frames)
            _ = session.advance()
        }
    }

    /// Halts the node with a variant, and plays before the session exchanges it.
    package func playHalted(seconds: Double) {
        let nodes = session.active.pipeline.nodes
        if let node = nodes.firstIndex(where: { $0.id == RandomPipeline.reducible }) {
            _ = session.engine.send(.halt(node: Int32(node), true))
        }
        let end = session.engine.audio.frame + UInt64(seconds * Self.sampleRate)
        while session.engine.audio.frame < end { render(Self.maximumFrames) }
    }

    private func render(_ frames: Int) {
        let frame = session.engine.audio.frame
        buffers.fill(&random, frame: frame, frames: frames, sound: sound)
        session.engine.audio.render(
            frameCount: frames, inputs: buffers.inputs, outputs: buffers.outputs,
            engineCall: buffers.call(&random, frame: frame, frames: frames))
    }

    /// Injects the fault of this night; a panic waits for the end of another one.
    private func inject(_ frame: UInt64) {
        let count = panics.count
        defer { if fault != .panic || panics.count > count { faultFrame = frame } }
        switch fault {
        case .none: break
        case .nan: _ = perform(.set("\(RandomPipeline.fault).nan", .toggle(true)), "fault")
        case .slow: beSlow()
        case .panic: _ = perform(.perform(.panic), "fault")
        case .death: _ = perform(.set("\(RandomPipeline.fault).die", .toggle(true)), "fault")
        }
    }

    /// Makes the next cycle late.
    private func beSlow() {
        _ = perform(.set("\(RandomPipeline.fault).slow", .toggle(true)), "fault")
    }

    private func perform(_ request: SessionRequest, _ kind: String) -> Bool {
        if case .refused = session.perform(request) { return false }
        counts[kind, default: 0] += 1
        return true
    }

    /// Does something at random.
    private func act() {
        switch Int.random(in: 0..<22, using: &random) {
        case 0..<8: move()
        case 8..<10:
            _ = perform(.set("scene", .text(random.pick(["a", "b"]))), "scene")
        case 10: _ = perform(.set("song", .number(Double(random.pick([1, 2, 3])))), "song")
        case 11..<14: edit()
        case 14: _ = perform(.set("tempo", .number(random.pick([60, 100, 133.3]))), "tempo")
        case 15: _ = perform(.set("mute", .toggle(random.once(in: 2))), "mute")
        case 16: _ = perform(.set("gain", .number(random.pick([-12, 0, 3]))), "gain")
        case 17: _ = perform(.perform(random.pick([.tap, .nextScene, .nextSong])), "action")
        case 18 where random.once(in: 4): _ = perform(.perform(.panic), "panic")
        case 19: beLate()
        case 20: rest()
        default: move()
        }
    }

    /// Simulates late cycles, so that a node gives way: by turns as the audio thread and the session
    /// decide.
    private func beLate() {
        let active = session.active.pipeline
        if counts["late", default: 0].isMultiple(of: 2),
            let node = active.reductionOrder.last(where: { !active.nodes[$0].isReduced })
        {
            _ = session.engine.send(.halt(node: Int32(node), true))
            counts["halt", default: 0] += 1
        }
        let late = Overrun(periods: 1.5, nodePeriods: 1, playingPeriods: 1.4, ringingPeriods: 0)
        for _ in 0..<2 { session.receive(.overrun(node: 0, late)) }
        counts["late", default: 0] += 1
    }

    /// Simulates half a minute with a low load, so that nodes return.
    private func rest() {
        for _ in 0..<400 {
            session.receive(.totalLoad(mean: 0.1, worst: 0.1))
            _ = session.advance()
        }
        counts["rest", default: 0] += 1
    }

    /// Moves a random value, at once or by a fade.
    private func move() {
        let pipeline = session.pipeline
        let node = random.pick(pipeline.nodes)
        guard node.id != RandomPipeline.fault else { return }
        var names = ["bypass", "mix"]
        names += node.parameters.map(\.name)
        let name = random.pick(names)
        let address = "\(node.id).\(name)"
        guard let parameter = node.parameters.first(where: { $0.name == name }) else {
            let value: Value =
                name == "mix"
                ? .number(Double.random(in: 0...1, using: &random)) : .toggle(random.once(in: 2))
            _ = perform(.set(address, value), "set")
            return
        }
        switch parameter.kind {
        case .toggle: _ = perform(.set(address, .toggle(random.once(in: 2))), "set")
        case .choice(let choices):
            _ = perform(.set(address, .text(random.pick(choices).name)), "set")
        case .integer, .continuous:
            let value = Float.random(in: parameter.range, using: &random)
            let number = Value.number(
                Double(parameter.kind == .integer ? value.rounded() : value))
            if random.once(in: 3) {
                let seconds = Double.random(in: 0.01...0.5, using: &random)
                _ = perform(.fade(address, number, seconds: seconds), "fade")
            } else {
                _ = perform(.set(address, number), "set")
            }
        }
    }

    /// Edits a random song, usually the current one.
    private func edit() {
        let index =
            random.once(in: 4) ? Int.random(in: 0..<songs.count, using: &random) : session.song
        var edited = songs[index]
        edited.edit(&random)
        guard let song = try? Self.song(edited, index) else { return }
        songs[index] = edited
        collection[index] = song
        session.follow(collection)
        counts["edit", default: 0] += 1
    }

    // MARK: The box

    /// Writes the box.
    package func keep(in folder: String, isPrivate: Bool = false) throws {
        let waiting = Mutex<Result<String, BoxError>?>(nil)
        box.keep(BoxReason(.keep), in: folder, isPrivate: isPrivate) { result in
            waiting.withLock { $0 = result }
        }
        while true {
            if let result = waiting.withLock({ $0 }) {
                _ = try result.get()
                return
            }
            NightBuffers.pause()
        }
    }

    /// Returns the path of a file that players and loopers use; empty in a night without them.
    package func sound(_ name: String) -> String { sounds?.path(name) ?? "" }

    /// Ends the black box.
    package func end() { box.end() }

    /// Returns whether a box and its replay name the node and the call of the fault.
    ///
    /// - Parameters:
    ///   - result: The result of the replay.
    ///   - log: The log of the box.
    /// - Returns: `nil` if the box contains no fault.
    package func isFound(by result: Replay.Result, in log: BoxLog) -> Bool? {
        guard let frame = faultFrame, let first = log.calls.first, frame >= first.frame else {
            return nil
        }
        switch fault {
        case .none, .death: return nil
        case .panic:
            return log.commands.contains { $0.frame == frame && $0.command.isSilence }
        case .nan:
            return result.notFinite.contains {
                $0.node == RandomPipeline.fault && $0.frame == frame
            }
        case .slow:
            return result.late.contains { $0.node == RandomPipeline.fault && $0.frame == frame }
        }
    }
}

extension CapturedCommand {
    /// Whether the command begins a panic.
    fileprivate var isSilence: Bool { if case .silence? = command { true } else { false } }
}

/// Counts the panics that have begun.
private final class PanicCount: Sendable {
    private let panics = Mutex(0)

    var count: Int { panics.withLock(\.self) }

    func receive(_ event: SessionEvent) {
        if event == .panic { panics.withLock { $0 += 1 } }
    }
}

/// The reason why a night failed.
package struct NightError: Error, CustomStringConvertible {
    package var description: String

    init(_ description: String) { self.description = description }
}
