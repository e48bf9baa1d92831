internal import CRealtime
public import Engine

/// Everything that an engine received in the minutes of a box, decoded.
public struct BoxLog: Sendable {
    /// A call of the engine.
    public struct Call: Sendable, Equatable {
        /// The first frame, counted from the start of the engine.
        public var frame: UInt64
        /// The number of frames.
        public var frameCount: Int
        /// 1 if MIDI and transport were given, 2 if the server freewheeled, 4 if the program was
        /// the timebase master.
        public var flags: Int
        /// The number of MIDI inputs.
        public var messageInputs: Int
        /// The index in `transports`; `nil` without one.
        public var transport: Int?
        /// The index of the call's first frame in `channels`.
        public var offset: Int
        /// The indices of its commands.
        public var commands: Range<Int>
        /// The indices of its messages.
        public var messages: Range<Int>
        /// The indices of its arrivals.
        public var arrivals = 0..<0
        /// The indices of its states.
        public var states = 0..<0
        /// The indices of its sounds.
        public var sounds = 0..<0
        /// The checksum of its output; `nil` if the call did not end.
        public var checksum: UInt64?
        /// Whether calls before this one are missing.
        public var followsGap: Bool
    }

    /// A command, and the frame at which the audio thread carried it out.
    public struct TimedCommand: Sendable, Equatable {
        /// The frame, counted from the start of the engine.
        public var frame: UInt64
        /// The command.
        public var command: CapturedCommand
    }

    /// A MIDI message.
    public struct Message: Sendable, Equatable {
        /// The slot of the input.
        public var slot: Int
        /// The frame in its call.
        public var frame: Int32
        /// The message with its status byte.
        public var bytes: [UInt8]
    }

    /// The data from other threads that a node used in a call.
    public struct Arrivals: Sendable, Codable, Equatable {
        /// The number of a schedule that contains the node.
        public var schedule: UInt64
        /// The index of the node in the schedule.
        public var node: Int
        /// The index of the processor in the node.
        public var processor: Int
        /// The words of the notes (`ArrivalNotes`).
        public var words: [UInt64]
        /// Whether there were more arrivals than the words state.
        public var hasLost: Bool
    }

    /// The part of the state of a node that does not fade, at a moment in a call.
    public struct State: Sendable, Equatable {
        /// The number of the schedule that played.
        public var schedule: UInt64
        /// The index of the node in the schedule.
        public var node: Int
        /// The index of the processor in the node.
        public var processor: Int
        /// The frame of the call, counted by the frames that the node has run.
        public var frame: Int
        /// The words of the note (`StateNotes`).
        public var words: [UInt64]
    }

    /// A part of the sound that a node kept at the end of a call.
    public struct Sound: Sendable, Equatable {
        /// The number of the schedule that played.
        public var schedule: UInt64
        /// The index of the node in the schedule.
        public var node: Int
        /// The index of the processor in the node.
        public var processor: Int
        /// Where the part belongs (`SoundPart`).
        public var address: UInt64
        /// The second word of the address.
        public var secondAddress: UInt64
        /// The indices of its samples in `soundSamples`.
        public var samples: Range<Int>
    }

    /// A call that took longer than its period.
    public struct LateCall: Sendable, Codable, Equatable {
        /// The frame after the call.
        public var endFrame: UInt64
        /// The time of the call in seconds.
        public var seconds: Double
        /// The number of the schedule.
        public var schedule: UInt64
        /// The time of each node of the schedule in seconds; empty if many other calls were late
        /// too.
        public var nodeSeconds: [Double]
    }

    /// The transport of another program.
    public struct Transport: Sendable, Codable, Equatable {
        var frame: Int64
        var bar: Int64
        var barBeat: Double
        var beatsPerBar: Double
        var beatsPerMinute: Double
        var isRolling: Bool
        var hasBeats: Bool
        var beatUnit: Int32
    }

    /// The calls, in order.
    public var calls: [Call] = []
    /// The commands, in order.
    public var commands: [TimedCommand] = []
    /// The messages, in order.
    public var messages: [Message] = []
    /// The arrivals, in order.
    public var arrivals: [Arrivals] = []
    /// The states, in order.
    public var states: [State] = []
    /// The parts of the sound that nodes kept, in order.
    public var sounds: [Sound] = []
    /// The samples of these parts.
    public var soundSamples: [Float] = []
    /// The transports, in order.
    public var transports: [Transport] = []
    /// The calls that took longer than their period.
    public var late: [LateCall] = []
    /// The samples of each input slot, all calls one after the other.
    public var channels: [[Float]] = []

    /// Creates an empty log.
    public init() {}

    /// The number of frames of all calls.
    public var frameCount: Int { calls.last.map { $0.offset + $0.frameCount } ?? 0 }

    /// The number of late calls at the start of a box, and at its end, whose nodes have times.
    package static let detailedLateCalls = 500

    /// Adds a late call at the end.
    ///
    /// On a machine that is always late, the times of all nodes would be most of a box. Calls in the
    /// middle lose them.
    package mutating func add(_ call: LateCall) {
        late.append(call)
        let middle = late.count - 1 - Self.detailedLateCalls
        if middle >= Self.detailedLateCalls { late[middle].nodeSeconds = [] }
    }
}

extension BoxLog {
    /// Decodes the records of a memory.
    ///
    /// Records before the first call, and those that a crash has left twice, are skipped.
    ///
    /// - Parameters:
    ///   - words: The records, one after the other.
    ///   - ticksPerSecond: The unit of the times in them.
    init(_ words: [UInt64], ticksPerSecond: Double) {
        var (frames, samples) = (0, 0)
        Self.forEachRecord(of: words) { record in
            frames += BoxLogDecoder.frames(ofCall: record) ?? 0  // checked: 16 bits for each record
            samples += BoxLogDecoder.samples(ofSound: record) ?? 0  // checked: as above
        }
        var decoder = BoxLogDecoder(
            ticksPerSecond: ticksPerSecond, expectedFrames: frames, expectedSamples: samples)
        Self.forEachRecord(of: words) { decoder.add($0) }
        self = decoder.log
    }

    private static func forEachRecord(of words: [UInt64], _ body: (ArraySlice<UInt64>) -> Void) {
        var index = 0
        while index < words.count {
            let count = Int(words[index] >> 8 & 0xFFFF_FFFF) + 1  // checked: 32 bits
            guard count <= words.count - index else { return }
            body(words[index..<index + count])  // checked: the guard
            index += count
        }
    }
}

/// Decodes records one after the other.
private struct BoxLogDecoder {
    private(set) var log = BoxLog()
    /// The largest number of frames of a call.
    private static let mostFrames = 1 << 16

    private let ticksPerSecond: Double
    /// The number of frames of all records, so that no array of samples has to grow.
    private let expectedFrames: Int
    private var pending: [BoxLog.Message] = []
    private var followsGap = false

    init(ticksPerSecond: Double, expectedFrames: Int, expectedSamples: Int) {
        self.ticksPerSecond = ticksPerSecond
        self.expectedFrames = expectedFrames
        log.soundSamples.reserveCapacity(expectedSamples)
    }

    /// Returns the number of frames of a record; `nil` if it is no call.
    static func frames(ofCall record: ArraySlice<UInt64>) -> Int? {
        guard let first = record.first, record.count >= 4,
            CaptureKind(rawValue: UInt8(truncatingIfNeeded: first)) == .call
        else { return nil }
        let frames = Int(record[record.startIndex + 2] & 0xFFFF_FFFF)  // checked: the guard
        return frames <= mostFrames ? frames : nil
    }

    /// Returns the number of samples of a record; `nil` if it is no part of a sound.
    static func samples(ofSound record: ArraySlice<UInt64>) -> Int? {
        guard let first = record.first, record.count >= 6,
            CaptureKind(rawValue: UInt8(truncatingIfNeeded: first)) == .sound,
            let count = Int(exactly: record[record.startIndex + 5]),  // checked: the guard
            count <= mostFrames, (count + 1) / 2 == record.count - 6
        else { return nil }
        return count
    }

    mutating func add(_ record: ArraySlice<UInt64>) {
        let words = Array(record)
        switch CaptureKind(rawValue: UInt8(truncatingIfNeeded: words[0])) {
        case .call: addCall(words)
        case .message: addMessage(words)
        case .command: addCommand(words)
        case .arrivals: addArrivals(words)
        case .state: addState(words)
        case .sound: addSound(words)
        case .end: addEnd(words)
        case .gap: followsGap = true
        case nil: break
        }
    }

    private mutating func addCall(_ words: [UInt64]) {
        defer { pending = [] }
        guard words.count >= 4 else { return }
        let frames = Int(words[2] & 0xFFFF_FFFF), channels = Int(words[2] >> 32)
        guard frames <= Self.mostFrames, channels <= EnginePorts.maximumChannels else { return }
        let flags = Int(words[3] & 0xFF)
        let sampleWords = (frames + 1) / 2
        let first = 4 + (flags & 8 != 0 ? 6 : 0)
        guard words.count == first + channels * sampleWords else { return }
        if let last = log.calls.last, words[1] < last.frame + UInt64(last.frameCount) { return }
        let offset = log.frameCount
        if flags & 8 != 0 { log.transports.append(BoxLog.Transport(Array(words[4..<10]))) }
        let messages = log.messages.count
        log.messages += pending
        // A channel that appears later was silent before.
        while log.channels.count < channels {
            var samples: [Float] = []
            samples.reserveCapacity(expectedFrames)
            samples.append(contentsOf: repeatElement(0, count: offset))
            log.channels.append(samples)
        }
        for channel in log.channels.indices {
            guard channel < channels else {
                log.channels[channel].append(contentsOf: repeatElement(0, count: frames))
                continue
            }
            let start = first + channel * sampleWords
            for frame in 0..<frames {
                let word = words[start + frame / 2]  // checked: the guard
                let bits = UInt32(truncatingIfNeeded: frame % 2 == 0 ? word : word >> 32)
                log.channels[channel].append(Float(bitPattern: bits))
            }
        }
        log.calls.append(
            BoxLog.Call(
                frame: words[1], frameCount: frames, flags: flags & 7,
                messageInputs: Int(words[3] >> 32),
                transport: flags & 8 != 0 ? log.transports.count - 1 : nil, offset: offset,
                commands: log.commands.count..<log.commands.count,
                messages: messages..<log.messages.count,
                arrivals: log.arrivals.count..<log.arrivals.count,
                states: log.states.count..<log.states.count,
                sounds: log.sounds.count..<log.sounds.count, checksum: nil,
                followsGap: followsGap))
        followsGap = false
    }

    private mutating func addMessage(_ words: [UInt64]) {
        guard words.count >= 3, let count = Int(exactly: words[2]),
            count <= (words.count - 3) * 8
        else { return }
        let bytes = (0..<count).map {
            let word = words[3 + $0 / 8]  // checked: the guard
            return UInt8(truncatingIfNeeded: word >> UInt64($0 % 8 * 8))
        }
        pending.append(
            BoxLog.Message(
                slot: Int(words[1] & 0xFFFF_FFFF),
                frame: Int32(truncatingIfNeeded: words[1] >> 32), bytes: bytes))
    }

    private mutating func addCommand(_ words: [UInt64]) {
        guard words.count >= 7, let last = log.calls.indices.last,
            words[1] >= log.calls[last].frame
        else { return }
        let command = words.withUnsafeBytes { bytes in
            bytes.baseAddress.map {
                CapturedCommand(CapturedWords(in: $0, count: UInt64(words.count), from: 0), from: 2)
            }
        }
        guard let command else { return }
        log.commands.append(BoxLog.TimedCommand(frame: words[1], command: command))
        log.calls[last].commands = log.calls[last].commands.lowerBound..<log.commands.count
    }

    private mutating func addArrivals(_ words: [UInt64]) {
        guard words.count >= 3, let last = log.calls.indices.last else { return }
        log.arrivals.append(
            BoxLog.Arrivals(
                schedule: words[1], node: Int(words[2] & 0xFFFF_FFFF),
                processor: Int(words[2] >> 32 & 0x7FFF_FFFF), words: Array(words[3...]),
                hasLost: words[2] >> 63 != 0))
        log.calls[last].arrivals = log.calls[last].arrivals.lowerBound..<log.arrivals.count
    }

    private mutating func addState(_ words: [UInt64]) {
        guard words.count >= 4, let last = log.calls.indices.last else { return }
        log.states.append(
            BoxLog.State(
                schedule: words[1], node: Int(words[2] & 0xFFFF_FFFF),
                processor: Int(words[2] >> 32 & 0x7FFF_FFFF), frame: Int(clamping: words[3]),
                words: Array(words[4...])))
        log.calls[last].states = log.calls[last].states.lowerBound..<log.states.count
    }

    private mutating func addSound(_ words: [UInt64]) {
        guard let count = Self.samples(ofSound: words[...]), let last = log.calls.indices.last
        else { return }
        let first = log.soundSamples.count
        for index in 0..<count {
            let word = words[6 + index / 2]  // checked: samples(ofSound:)
            let bits = UInt32(truncatingIfNeeded: index % 2 == 0 ? word : word >> 32)
            log.soundSamples.append(Float(bitPattern: bits))
        }
        log.sounds.append(
            BoxLog.Sound(
                schedule: words[1], node: Int(words[2] & 0xFFFF_FFFF),
                processor: Int(words[2] >> 32 & 0x7FFF_FFFF), address: words[3],
                secondAddress: words[4],
                samples: first..<first + count))
        log.calls[last].sounds = log.calls[last].sounds.lowerBound..<log.sounds.count
    }

    private mutating func addEnd(_ words: [UInt64]) {
        guard words.count >= 5, let last = log.calls.indices.last,
            words[1] == log.calls[last].frame + UInt64(log.calls[last].frameCount)
        else { return }
        log.calls[last].checksum = words[2]
        guard words[4] & 1 != 0 else { return }
        log.add(
            BoxLog.LateCall(
                endFrame: words[1], seconds: Double(words[3]) / ticksPerSecond,
                schedule: words[4] >> 1,
                nodeSeconds: words[5...].map { Double($0) / ticksPerSecond }))
    }
}

extension BoxLog.Transport {
    /// Reads the six words of a transport.
    fileprivate init(_ words: [UInt64]) {
        frame = Int64(bitPattern: words[0])
        bar = Int64(bitPattern: words[1])
        barBeat = Double(bitPattern: words[2])
        beatsPerBar = Double(bitPattern: words[3])
        beatsPerMinute = Double(bitPattern: words[4])
        isRolling = words[5] & 1 != 0
        hasBeats = words[5] & 2 != 0
        beatUnit = Int32(truncatingIfNeeded: words[5] >> 32)
    }

    /// The transport in the form that the engine reads.
    var transport: RTTransport {
        RTTransport(
            revision: 0, isRolling: isRolling, isFreewheeling: false, hasBeats: hasBeats,
            beatUnit: beatUnit, frame: frame, bar: bar, barBeat: barBeat,
            beatsPerBar: beatsPerBar, beatsPerMinute: beatsPerMinute)
    }
}
