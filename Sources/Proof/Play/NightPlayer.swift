internal import CRealtime
internal import Engine
internal import Pipelines
public import Processing
internal import Realtime
public import SessionCore

/// Plays a night with the session and the engine of the program, without a sound card.
public struct NightPlayer {
    /// The longest time that a song may need to begin, in seconds of audio.
    private static let longestWaitSeconds = 10.0

    /// The share of a step in which its change can still be heard.
    private static let changingShare = 0.6
    /// The shortest crossfades that the law allows, in seconds.
    private static let crossfade = 0.02
    private static let songCrossfade = 0.03

    /// The number of costly steps that are played in real time.
    private static let rehearsedSteps = 4

    private let songs: SongCollection
    private let catalogue: Catalogue
    private let request: ProofRequest
    private let walk: Walk

    /// Creates a player.
    ///
    /// - Parameters:
    ///   - songs: The songs, of which at least one can play.
    ///   - catalogue: The catalogue that the songs were checked with.
    ///   - request: How they are played.
    public init(_ songs: SongCollection, catalogue: Catalogue, _ request: ProofRequest) {
        (self.songs, self.catalogue, self.request) = (songs, catalogue, request)
        walk = Walk(through: songs)
    }

    /// Plays everything: once to listen, once with a steady tone, then to measure the loads.
    ///
    /// The first measurement finds the costliest steps, and the others play these in real time.
    ///
    /// - Parameter progress: Receives the completed share from time to time, from 0 through 1.
    /// - Returns: The evidence.
    /// - Throws: `SessionError` if the session cannot begin.
    public func play(progress: (Double) -> Void = { _ in }) throws(SessionError) -> PlayedNight {
        var night = PlayedNight(songs, request, walk)
        let control = rt_float_control()
        defer { rt_restore_float_control(control) }
        let passes =
            [.listening, .tone] + Array(repeating: Stage.Purpose.measuring, count: request.passes)
        var rehearsed: Set<Int> = request.isPaced ? Set(walk.steps.indices) : []
        for (pass, purpose) in passes.enumerated() {
            let start = rt_nanoseconds()
            let stage = try Stage(songs, catalogue, request, purpose)
            if pass == 0 { night.startSeconds = Double(rt_nanoseconds() - start) / 1e9 }
            for index in walk.steps.indices {
                play(
                    index, on: stage,
                    isInRealTime: purpose == .measuring && rehearsed.contains(index), &night)
                let done = Double(pass * walk.steps.count + index + 1)
                progress(done / Double(passes.count * walk.steps.count))
            }
            night.isRealtime = stage.isRealtime
            guard purpose == .measuring else { continue }
            stage.addMeans(to: &night)
            if rehearsed.isEmpty { rehearsed = night.costliestSteps(Self.rehearsedSteps) }
        }
        night.peakBytes = ProcessMemory.peakBytes
        night.lockableBytes = MemoryLock.limitBytes
        return night
    }

    private func play(
        _ index: Int, on stage: Stage, isInRealTime: Bool, _ night: inout PlayedNight
    ) {
        if isInRealTime { night.times[index].beginRehearsal() }
        let step = walk.steps[index]
        let blocks = request.blocks(of: step)
        if let reason = stage.begin(step), stage.purpose == .listening {
            night.events.append(.init(step: index, node: step.place.node, what: .failed(reason)))
        }
        var waited = 0
        let longestWait = Int(
            Self.longestWaitSeconds * request.sampleRate / Double(request.blockFrames))
        let meter =
            stage.purpose == .listening ? OutputMeter(stage.session.ports, request) : nil
        stage.edgeMeter?.begin()
        var block = 0
        while block < blocks + waited {
            stage.sweep(step, block: block, of: blocks)
            let time = stage.render(block, of: blocks, isInRealTime: isInRealTime, &night)
            if stage.purpose == .measuring {
                night.times[index].note(time, block: block, isInRealTime: isInRealTime)
            }
            meter?.add(stage.outputs, isSettled: block - waited >= request.settlingBlocks)
            stage.edgeMeter?.add(
                stage.outputs,
                isChanging: Double(block - waited) < Self.changingShare * Double(blocks))
            block += 1
            guard stage.isWaiting(for: step) else { continue }
            waited += 1
            stage.startSignal(of: step)
            guard waited < longestWait else {
                if stage.purpose == .listening {
                    night.events.append(
                        .init(step: index, node: nil, what: .failed("the song did not begin")))
                }
                break
            }
        }
        if let edges = stage.edgeMeter, index > 0, !step.isSweep {
            night.edges[index] = edges.edges(
                crossfadeSeconds: step.kind == .song ? Self.songCrossfade : Self.crossfade)
        }
        if stage.purpose == .measuring { stage.addEvents(of: index, to: &night) }
        guard let meter else { return }
        night.levels[index].outputs = meter.levels
        stage.addEvidence(of: index, to: &night)
    }
}
