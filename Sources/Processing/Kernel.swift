public import CRealtime
public import Realtime

/// The part of a processor that runs on the audio thread: a built-in effect, a player, a recorder
/// or an LV2 plugin.
///
/// A kernel is a struct at a fixed address. `run` and `set` must be real-time safe; conforming
/// types annotate both with `@_noLocks`, so that the compiler checks them.
public protocol Kernel: ~Copyable {
    /// The time between an impulse at the input and the same impulse at the output, in frames.
    var latencyFrames: Int { get }

    /// The longest time for which the output continues after the input falls silent, in frames;
    /// `nil` if unknown.
    var tailFrames: Int? { get }

    /// Renders one block.
    ///
    /// - Parameter block: The buffers. No output overlaps an input or another output.
    mutating func run(_ block: UnsafePointer<RTBlock>)

    /// Moves a parameter to a value, smoothly if the parameter is continuous.
    ///
    /// The change takes effect at the first frame of the next run.
    ///
    /// - Parameters:
    ///   - parameter: An index in the node's list of parameters, or a case of `RTTarget`. A kernel
    ///     ignores numbers that it does not know.
    ///   - value: A value in the parameter's range; a kernel ignores values that are not finite.
    mutating func set(_ parameter: Int32, to value: Float)

    /// Returns the kernel to the state of a new one with the current parameter values.
    ///
    /// The caller is not on the audio thread, or calls between two runs.
    mutating func reset()

    /// The notes of the state that does not fade, at an address that does not change; `nil` if the
    /// kernel notes nothing.
    var stateNotes: UnsafeMutablePointer<StateNotes>? { get }

    /// Whether the kernel keeps sound that `nextSoundPart` returns in parts.
    var notesSound: Bool { get }

    /// Returns the next part of the sound that the kernel keeps.
    ///
    /// It is called between two runs, on the audio thread, and must be real-time safe. The part is
    /// valid until the next run or change.
    ///
    /// - Returns: A part; `nil` after the last one, and then again the first one.
    mutating func nextSoundPart() -> SoundPart?

    /// Replaces a part of the sound that the kernel keeps, in a replay.
    ///
    /// It is called between two runs. A part can come from anyone: the kernel checks all of its
    /// numbers.
    mutating func restoreSound(_ part: SoundPart)
}

extension Kernel where Self: ~Copyable {
    /// No notes, for kernels whose state fades.
    public var stateNotes: UnsafeMutablePointer<StateNotes>? { nil }

    /// No sound, for kernels whose sound is that of the latest input.
    public var notesSound: Bool { false }

    /// No part.
    public mutating func nextSoundPart() -> SoundPart? { nil }

    /// Ignores the part.
    public mutating func restoreSound(_ part: SoundPart) {}
}
