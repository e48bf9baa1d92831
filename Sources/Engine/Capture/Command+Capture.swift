internal import CRealtime
internal import Pipelines

/// A command as five words, for a capture.
public struct CapturedCommand: BitwiseCopyable, Sendable, Equatable {
    /// The number of the kind of command.
    public var kind: Int32 = 0
    /// A node, a slot or an index.
    public var first: Int32 = 0
    /// A target or a scene.
    public var second: Int32 = 0
    /// A value, in its unit.
    public var value: Float = 0
    /// The frame at which the command is due, or the number of a schedule.
    public var frame: UInt64 = 0
    /// A time in seconds, a tempo, or a length in frames.
    public var number: Double = 0
    /// The curve and the scale of a fade.
    public var style: Int32 = 0

    init(_ kind: Int32) { self.kind = kind }

    /// The number of words.
    static var wordCount: Int { @_noLocks get { 5 } }

    /// Writes the words.
    @_noLocks
    func write(to writer: inout CaptureWriter) {
        writer.put(Self.pair(kind, first))
        writer.put(Self.pair(second, style))
        writer.put(UInt64(value.bitPattern))
        writer.put(frame)
        writer.put(number.bitPattern)
    }

    @_noLocks
    private static func pair(_ low: Int32, _ high: Int32) -> UInt64 {
        UInt64(UInt32(bitPattern: low)) | UInt64(UInt32(bitPattern: high)) << 32
    }

    /// Reads the words from the one with an index on.
    public init(_ words: CapturedWords, from index: Int) {
        kind = Int32(truncatingIfNeeded: words[index])
        first = Int32(truncatingIfNeeded: words[index] >> 32)
        second = Int32(truncatingIfNeeded: words[index + 1])
        style = Int32(truncatingIfNeeded: words[index + 1] >> 32)
        value = Float(bitPattern: UInt32(truncatingIfNeeded: words[index + 2]))
        frame = words[index + 3]
        number = Double(bitPattern: words[index + 4])
    }

    /// Creates a command from its numbers.
    public init(
        kind: Int32, first: Int32, second: Int32, value: Float, frame: UInt64, number: Double,
        style: Int32
    ) {
        self.kind = kind
        self.first = first
        self.second = second
        self.value = value
        self.frame = frame
        self.number = number
        self.style = style
    }
}

extension CapturedCommand {
    /// Describes a command in numbers.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - schedule: The number of the schedule, if it hands one over.
    @_noLocks
    init(_ command: Command, schedule: UInt64) {
        self.init(0)
        switch command {
        case .set(let node, let target, let value, let frame):
            (kind, first, second, self.value, self.frame) = (1, node, target, value, frame)
        case .fade(let node, let target, let value, let fade, let frame):
            (kind, first, second, self.value, self.frame) = (2, node, target, value, frame)
            (number, style) = (fade.seconds, fade.style)
        case .tempo(let tempo): (kind, number) = (3, tempo)
        case .roundTrip(let frames): (kind, first) = (4, frames)
        case .fadeIn(let seconds): (kind, value) = (5, seconds)
        case .fadeOut(let seconds): (kind, value) = (6, seconds)
        case .scene(let index): (kind, first) = (7, index)
        case .sceneMessages(let index): (kind, first) = (8, index)
        case .cancelFollow: kind = 9
        case .exchange(_, let manner): hand(schedule, manner)
        case .endTails: kind = 11
        case .mute(let isOn): (kind, first) = (12, isOn ? 1 : 0)
        case .masterGain(let decibels): (kind, value) = (13, decibels)
        case .monitor(let slot): (kind, first) = (14, slot)
        case .tap(let slot, let node): (kind, first, second) = (15, slot, node)
        case .learn(let isOn): (kind, first) = (16, isOn ? 1 : 0)
        case .levelRate(let rate, let ofNodes): (kind, first, second) = (17, rate, ofNodes ? 1 : 0)
        case .pressKey(let key): (kind, first) = (18, key)
        case .silence: kind = 19
        case .resume: kind = 20
        case .sceneLevel(let index, let frame): (kind, first, self.frame) = (21, index, frame)
        case .halt(let node, let isOn): (kind, first, second) = (22, node, isOn ? 1 : 0)
        }
    }

    /// The number of a command that hands a schedule over.
    public static var exchange: Int32 { @_noLocks get { 10 } }

    @_noLocks
    private mutating func hand(_ schedule: UInt64, _ manner: Command.Exchange) {
        (kind, frame, second) = (Self.exchange, schedule, -1)
        switch manner {
        case .splice: first = 0
        case .ringOut(let tail): (first, number) = (1, Double(tail))
        case .song(let tail, let scene): (first, number, second) = (2, Double(tail), scene)
        case .outerSong(let scene): (first, second) = (3, scene)
        case .replace: first = 4
        }
    }

    /// How a schedule replaces the one before; `nil` for other commands.
    public var manner: Command.Exchange? {
        guard kind == Self.exchange else { return nil }
        let tail = Int64(exactly: number) ?? 0
        return switch first {
        case 0: .splice
        case 1: .ringOut(tailFrames: tail)
        case 2: .song(tailFrames: tail, scene: second)
        case 3: .outerSong(scene: second)
        case 4: .replace
        default: nil
        }
    }

    /// The command; `nil` for one that hands a schedule over, and for an unknown kind.
    public var command: Command? {
        switch kind {
        case 1: .set(node: first, target: second, value: value, frame: frame)
        case 2:
            .fade(
                node: first, target: second, value: value, Fade(seconds: number, style: style),
                frame: frame)
        case 3: .tempo(beatsPerMinute: number)
        case 4: .roundTrip(frames: first)
        case 5: .fadeIn(seconds: value)
        case 6: .fadeOut(seconds: value)
        case 7: .scene(first)
        case 8: .sceneMessages(first)
        case 9: .cancelFollow
        case 11: .endTails
        case 12: .mute(first != 0)
        case 13: .masterGain(decibels: value)
        case 14: .monitor(slot: first)
        case 15: .tap(slot: first, node: second)
        case 16: .learn(first != 0)
        case 17: .levelRate(perSecond: first, ofNodes: second != 0)
        case 18: .pressKey(first)
        case 19: .silence
        case 20: .resume
        case 21: .sceneLevel(first, frame: frame)
        case 22: .halt(node: first, second != 0)
        default: nil
        }
    }
}

extension Fade {
    /// The curve and the scale as a number.
    var style: Int32 {
        @_noLocks get {
            let number: Int32 =
                switch curve {
                case .linear: 0
                case .smooth: 1
                case .easeIn: 2
                case .easeOut: 3
                }
            return number | (isLogarithmic ? 4 : 0) | (isStep ? 8 : 0)
        }
    }

    /// Creates a fade from a time in seconds and the number of its curve and scale.
    init(seconds: Double, style: Int32) {
        self.seconds = seconds
        let curves: [FadeCurve] = [.linear, .smooth, .easeIn, .easeOut]
        curve = curves[Int(style & 3)]
        isLogarithmic = style & 4 != 0
        isStep = style & 8 != 0
    }
}
