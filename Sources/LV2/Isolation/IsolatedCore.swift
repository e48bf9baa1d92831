internal import CRealtime
internal import Processing
internal import Synchronization

/// The audio thread's side of a plugin that plays in a process of its own: plain values, and pointers that
/// `IsolatedPlugin` owns.
///
/// Each run posts its sound and takes the plugin's, which is one block old, or of this very cycle. Where the plugin has not
/// played by then, the run gives silence and says so in `absence`.
struct IsolatedCore: BitwiseCopyable {
    /// How much a plugin that fell behind may have to catch up with, in frames; beyond it sound is left out.
    static func backlogFrames(blockFrames: Int) -> Int { max(2 * blockFrames, 2048) }

    /// Memory handed between the audio thread and the guardian.
    struct Handover: ~Copyable {
        /// The memory of a new process, by the address of its `PluginShare`.
        let incoming = Atomic<UInt>(0)
        /// That of the one before, which the audio thread has let go of.
        let outgoing = Atomic<UInt>(0)
    }

    /// The values that parameters are to have, by their bits, then whether it is bypassed; read by the guardian for a
    /// new process.
    let values: UnsafeMutablePointer<Atomic<UInt32>>
    let parameterCount: Int
    let handover: UnsafeMutablePointer<Handover>
    let absence: UnsafeMutablePointer<UInt32>
    let reports: UnsafeMutablePointer<Float>
    /// What the plugin is late by because it plays elsewhere, in frames.
    let delayFrames: Int
    private let isLive: Bool
    private let backlogFrames: Int
    private let nanosecondsPerFrame: Double
    private var share: UnsafeMutablePointer<PluginShare>
    private var traffic: IsolatedTraffic
    /// What the process was last told of each parameter.
    private let told: UnsafeMutablePointer<UInt32>
    private var hasUntold = false
    /// The frame of the next run.
    private var frame = 0
    /// Up to which frame sound was posted.
    private var postedFrames = 0
    /// The sound before this frame was left out, at least in part.
    private var gapEnd = 0
    /// What lies before this frame is silence by right.
    private var silenceEnd = 0

    init(
        _ owned: IsolatedMemory, _ request: ProcessorRequest,
        share: UnsafeMutablePointer<PluginShare>
    ) {
        (values, told, parameterCount) = (owned.values, owned.told, request.parameters.count)
        (handover, absence, reports) = (owned.handover, owned.absence, owned.reports)
        isLive = request.format.isLive
        delayFrames = request.isolation == .sameCycle ? 0 : request.format.maximumBlockFrames
        backlogFrames = Self.backlogFrames(blockFrames: request.format.maximumBlockFrames)
        nanosecondsPerFrame = 1e9 / request.format.sampleRate
        traffic = IsolatedTraffic(owned, delayFrames: delayFrames)
        self.share = share
    }

    /// Renders a block.
    @_noLocks
    mutating func run(_ block: UnsafePointer<RTBlock>) {
        let frames = Int(block.pointee.frameCount)
        guard frames > 0 else { return }
        takeNewProcess()
        let isThere = share.pointee.isLost.pointee.load(ordering: .relaxed) == 0
        let wasIdle = playedFrames == postedFrames
        if isThere { post(block, frames) }
        if isThere, isLive ? delayFrames == 0 && wasIdle : true {
            wait(for: frame + frames - delayFrames)
        }
        deliver(block, frames, isThere: isThere)
        frame += frames
    }

    /// Moves a parameter, by its place among the parameters, or tells the plugin of its bypass.
    @_noLocks
    mutating func set(_ parameter: Int32, to value: Float) {
        let place = parameter == bypass ? parameterCount : Int(parameter)
        guard place >= 0, place < parameterCount || parameter == bypass else { return }
        values[place].store(value.bitPattern, ordering: .relaxed)
        tell(place)
    }

    /// What bypass is called in `set`; its value lies behind those of the parameters.
    private var bypass: Int32 { @_noLocks get { Int32(RTTargetBypass.rawValue) } }

    /// Makes the plugin a fresh one; what it played before is not heard any more.
    mutating func reset() {
        silenceEnd = frame
        _ = share.pointee.post(
            .init(kind: ShareMessage.Kind.reset.rawValue, number: 0, value: 0), leaving: 0)
    }

    /// The memory of the process that plays now.
    var currentShare: UnsafeMutablePointer<PluginShare> { share }

    // MARK: The way there

    /// Goes over to a process that was started in the place of one that is gone.
    @_noLocks
    private mutating func takeNewProcess() {
        guard handover.pointee.incoming.load(ordering: .relaxed) != 0 else { return }
        let handle = handover.pointee.incoming.exchange(0, ordering: .acquiring)
        guard let new = UnsafeMutablePointer<PluginShare>(bitPattern: handle) else { return }
        handover.pointee.outgoing.store(UInt(bitPattern: share), ordering: .releasing)
        share = new
        // It has played nothing: what would have to come from before is missing.
        (frame, postedFrames, gapEnd, silenceEnd) = (0, 0, 0, .min)
        for place in 0...parameterCount { told[place] = .max }
        hasUntold = true
        traffic.begin(latencyFrames: share.pointee.latencyFrames.pointee.load(ordering: .relaxed))
    }

    @_noLocks
    private mutating func post(_ block: UnsafePointer<RTBlock>, _ frames: Int) {
        if hasUntold { tellAll() }
        traffic.post(block, at: frame, to: share.pointee)
        let message = ShareMessage(
            kind: ShareMessage.Kind.run.rawValue, number: Int32(frames),
            value: UInt64(frame))
        let hasRoom = postedFrames - playedFrames + frames <= backlogFrames
        if hasRoom {
            for channel in 0..<Int(block.pointee.inputCount) {
                share.pointee.write(channel, at: frame, block.pointee.inputs[channel], frames)
            }
        }
        if hasRoom, share.pointee.post(message, leaving: 0) {
            postedFrames = frame + frames
        } else {
            gapEnd = frame + frames
        }
        wakePlugin()
    }

    @_noLocks
    private func wakePlugin() {
        let isAsleep = share.pointee.isHostAsleep.pointee.load(ordering: .sequentiallyConsistent)
        if isAsleep != 0 { rt_wake(share.pointee.posted) }
    }

    /// Tells the process of one parameter, leaving room for a run.
    @_noLocks
    private mutating func tell(_ parameter: Int) {
        let bits = values[parameter].load(ordering: .relaxed)
        let message = ShareMessage(
            kind: ShareMessage.Kind.set.rawValue,
            number: parameter < parameterCount ? Int32(parameter) : bypass, value: UInt64(bits))
        if share.pointee.post(message, leaving: 64) {
            told[parameter] = bits
        } else {
            hasUntold = true
        }
    }

    @_noLocks
    private mutating func tellAll() {
        hasUntold = false
        for place in 0...parameterCount
        where told[place] != values[place].load(ordering: .relaxed) {
            tell(place)
        }
    }

    // MARK: The way back

    /// Up to which frame the plugin has played.
    private var playedFrames: Int { @_noLocks get { share.pointee.playedCount } }

    /// Waits until the plugin has played up to a frame: live for half the period at most, off the clock as long as it lives.
    @_noLocks
    private func wait(for end: Int) {
        let missing = Double(max(0, end - playedFrames))
        share.pointee.wait(
            until: end,
            patienceNanoseconds: isLive ? UInt64(missing * nanosecondsPerFrame / 2) : .max)
    }

    /// Gives the plugin's sound, or says that there is none.
    @_noLocks
    private mutating func deliver(_ block: UnsafePointer<RTBlock>, _ frames: Int, isThere: Bool) {
        let start = frame - delayFrames
        let silentFrames = max(0, min(frames, silenceEnd == .min ? 0 : silenceEnd - start))
        let isPlayed =
            silentFrames == frames
            || playedFrames >= start + frames && start + silentFrames >= gapEnd
        let isHere = isThere && isPlayed
        absence.pointee = isHere ? 0 : 1
        if isThere {
            traffic.deliver(block, from: start, silentFrames: silentFrames, share.pointee)
        }
        for channel in 0..<Int(block.pointee.outputCount) {
            let out = block.pointee.outputs[channel]
            let firstFrames = isHere ? silentFrames : frames
            rt_clear(out, Int64(firstFrames))
            guard firstFrames < frames else { continue }
            share.pointee.read(
                Int(block.pointee.inputCount) + channel, at: start + firstFrames,
                out + firstFrames, frames - firstFrames)
        }
        if isHere { rt_copy(reports, share.pointee.reports, Int64(share.pointee.size.reportCount)) }
    }
}
