internal import Realtime

/// The meaning of the presses of one pedal.
///
/// A press acts at once: it records, plays, overdubs and plays in turn. A second press soon after
/// stops the loop, and takes back the overdub that the first press began. A held pedal clears.
struct PedalCycle: BitwiseCopyable {
    /// The longest time between the presses of a double press, in seconds.
    private static var doubleSeconds: Double { @_noLocks get { 0.35 } }
    /// The time after which a held pedal clears, in seconds.
    private static var holdSeconds: Double { @_noLocks get { 1 } }

    private let doubleFrames: Int
    private let holdFrames: Int
    private var isPressed: Bool
    private var lastPress = -(1 << 40)
    private var startedOverdub = false

    /// - Parameters:
    ///   - sampleRate: The sample rate in Hz.
    ///   - isPressed: Whether the pedal is pressed at the start.
    init(sampleRate: Double, isPressed: Bool) {
        doubleFrames = Int(Self.doubleSeconds * sampleRate)
        holdFrames = Int(Self.holdSeconds * sampleRate)
        self.isPressed = isPressed
    }

    /// The number of words of `note`.
    static var noteWords: Int { 2 }

    /// Writes the last press.
    @_noLocks
    func note(to notes: UnsafeMutablePointer<StateNotes>) {
        notes.pointee.put(lastPress)
        notes.pointee.put((isPressed ? 1 : 0) + (startedOverdub ? 2 : 0))
    }

    /// Continues from a noted press.
    @_noLocks
    mutating func follow(_ notes: UnsafeMutablePointer<StateNotes>) {
        lastPress = notes.pointee.pop(from: -(1 << 40), through: 1 << 50)
        let flags = notes.pointee.pop(from: 0, through: 3)
        (isPressed, startedOverdub) = (flags & 1 != 0, flags & 2 != 0)
    }

    /// Presses or releases the pedal.
    @_noLocks
    mutating func set(_ isDown: Bool, _ core: inout LoopCore) {
        guard isDown != isPressed else { return }
        isPressed = isDown
        core.clearFrame = isDown ? core.track.now + holdFrames : .max
        guard isDown else { return }
        if core.track.now - lastPress <= doubleFrames {
            lastPress = -(1 << 40)
            pressTwice(&core)
        } else {
            lastPress = core.track.now
            press(&core)
        }
    }

    @_noLocks
    private mutating func press(_ core: inout LoopCore) {
        startedOverdub = false
        switch core.track.state {
        case .empty: core.request(.record)
        case .playing:
            core.request(.overdub)
            startedOverdub = true
        case .recording, .overdubbing, .multiplying, .inserting, .stopped: core.request(.play)
        }
    }

    @_noLocks
    private mutating func pressTwice(_ core: inout LoopCore) {
        // The first press began the loop: there is nothing to stop.
        if core.track.state == .empty || core.track.state == .recording {
            return core.request(.clear)
        }
        if startedOverdub, core.track.state == .overdubbing { core.request(.undo) }
        core.request(.stop)
    }
}
