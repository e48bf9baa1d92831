internal import Engine

/// The calls of a log, as `cycles.json` contains them: consecutive calls with the same properties
/// are one run.
struct StoredCycles: Decodable {
    private var runs: [Run] = []
    /// The checksum of each call, as 16 hexadecimal digits; 0 for a call that a crash has ended.
    private var checksums: [String] = []
    private var transports: [BoxLog.Transport] = []
    private(set) var late: [BoxLog.LateCall] = []

    /// The largest number of frames of a call.
    private static let mostFrames = 1 << 16
    /// The largest number of checksums in one text.
    private static let checksumsPerText = 64

    /// Calls with the same properties.
    private struct Run: Codable {
        /// The first frame of the first call.
        var frame: UInt64
        var count: Int
        var frames: Int
        var flags: Int
        var messageInputs: Int
        var transport: Int?
        var followsGap: Bool

        /// Returns whether a call continues the run.
        func isContinued(by call: BoxLog.Call) -> Bool {
            call.frame == frame + UInt64(count * frames) && call.frameCount == frames
                && call.flags == flags && call.messageInputs == messageInputs
                && call.transport == transport && !call.followsGap
        }
    }

    /// Stores the calls of a log.
    init(_ log: BoxLog) {
        for call in log.calls {
            if let last = runs.last, last.isContinued(by: call) {
                runs[runs.count - 1].count += 1  // checked: not empty
            } else {
                runs.append(
                    Run(
                        frame: call.frame, count: 1, frames: call.frameCount, flags: call.flags,
                        messageInputs: call.messageInputs, transport: call.transport,
                        followsGap: call.followsGap))
            }
        }
        var text = ""
        for (index, call) in log.calls.enumerated() {
            text += HexadecimalWords.text([call.checksum ?? 0])
            guard index % Self.checksumsPerText == Self.checksumsPerText - 1 else { continue }
            checksums.append(text)
            text = ""
        }
        if !text.isEmpty { checksums.append(text) }
        transports = log.transports
        late = log.late
    }

    /// Writes the file.
    func write(to path: String) throws(BoxError) {
        var file = try BoxListFile(path)
        try file.add("checksums", checksums)
        try file.add("late", late)
        try file.add("runs", runs)
        try file.add("transports", transports)
        try file.close()
    }

    /// Adds the calls to a log; throws `BoxError` if there are more than a limit, at most 2⁴⁰, or if
    /// the numbers contradict each other.
    func add(to log: inout BoxLog, limit: Int) throws(BoxError) {
        log.transports = transports
        log.late = late
        var sums: [UInt64] = []
        for text in checksums {
            guard let words = HexadecimalWords.words(text) else {
                throw BoxError("cycles.json: a checksum is not valid")
            }
            sums += words
        }
        var offset = 0
        for run in runs {
            guard (0...limit).contains(run.count), (0...Self.mostFrames).contains(run.frames),
                log.calls.count + run.count <= limit, run.frame <= UInt64(Int.max / 2),
                run.transport.map({ transports.indices.contains($0) }) ?? true,
                (0...1024).contains(run.messageInputs)
            else { throw BoxError("cycles.json: a run of calls is not valid") }
            for index in 0..<run.count {
                let sum = log.calls.count < sums.count ? sums[log.calls.count] : 0
                log.calls.append(
                    BoxLog.Call(
                        frame: run.frame + UInt64(index * run.frames), frameCount: run.frames,
                        flags: run.flags, messageInputs: run.messageInputs,
                        transport: run.transport, offset: offset, commands: 0..<0,
                        messages: 0..<0, checksum: sum == 0 ? nil : sum,
                        followsGap: run.followsGap && index == 0))
                offset += run.frames
            }
        }
    }
}

/// The commands, the MIDI messages, the arrivals, the states and the sounds of a log, as
/// `events.json` contains them.
///
/// The samples of the sounds are in another file, one sound after the other.
struct StoredEvents: Decodable {
    private var commands: [Timed]
    private var messages: [Message]
    private var arrivals: [Arrivals]
    /// `nil` in a box of an older version of the program.
    private var states: [State]?
    /// `nil` in a box of an older version of the program.
    private var sounds: [Sound]?

    /// A command of a call, given by its index.
    private struct Timed: Codable {
        var call: Int
        var command: StoredCommand
    }

    private struct Message: Codable {
        var call: Int
        var slot: Int
        var frame: Int32
        var bytes: [UInt8]
    }

    private struct Arrivals: Codable {
        var call: Int
        var arrivals: BoxLog.Arrivals
    }

    private struct State: Codable {
        var call: Int
        var schedule: UInt64
        var node: Int
        var processor: Int
        var frame: Int
        /// Each word as 16 hexadecimal digits.
        var words: String

        /// The state as in a log; throws `BoxError` if a word is not valid.
        var noted: BoxLog.State {
            get throws(BoxError) {
                guard let words = HexadecimalWords.words(words) else {
                    throw BoxError("events.json: a state is not valid")
                }
                return BoxLog.State(
                    schedule: schedule, node: node, processor: processor, frame: frame,
                    words: words)
            }
        }
    }

    private struct Sound: Codable {
        var call: Int
        var schedule: UInt64
        var node: Int
        var processor: Int
        /// Two words as 16 hexadecimal digits each.
        var address: String
        /// The number of samples.
        var count: Int

        /// Returns the sound as in a log, whose samples begin at an index; throws `BoxError` if a
        /// number is not valid.
        func noted(from first: Int) throws(BoxError) -> BoxLog.Sound {
            guard let words = HexadecimalWords.words(address), words.count == 2,
                (0...StoredEvents.mostSamples).contains(count)
            else { throw BoxError("events.json: a sound is not valid") }
            return BoxLog.Sound(
                schedule: schedule, node: node, processor: processor, address: words[0],
                secondAddress: words[1], samples: first..<first + count)
        }
    }

    /// The largest number of samples of a sound.
    private static let mostSamples = 1 << 16

    /// Stores the events of a log.
    ///
    /// - Parameters:
    ///   - log: The log.
    ///   - isPrivate: Whether the states and the sounds are left out: states contain amplitudes of
    ///     the sound.
    init(_ log: BoxLog, isPrivate: Bool) {
        (commands, messages, arrivals) = ([], [], [])
        var states: [State] = []
        var sounds: [Sound] = []
        for (index, call) in log.calls.enumerated() {
            for command in log.commands[call.commands] {
                commands.append(Timed(call: index, command: StoredCommand(command)))
            }
            for message in log.messages[call.messages] {
                messages.append(
                    Message(
                        call: index, slot: message.slot, frame: message.frame,
                        bytes: message.bytes))
            }
            for noted in log.arrivals[call.arrivals] {
                arrivals.append(Arrivals(call: index, arrivals: noted))
            }
            for state in isPrivate ? [] : log.states[call.states] {
                states.append(
                    State(
                        call: index, schedule: state.schedule, node: state.node,
                        processor: state.processor, frame: state.frame,
                        words: HexadecimalWords.text(state.words)))
            }
            for sound in isPrivate ? [] : log.sounds[call.sounds] {
                sounds.append(
                    Sound(
                        call: index, schedule: sound.schedule, node: sound.node,
                        processor: sound.processor,
                        address: HexadecimalWords.text([sound.address, sound.secondAddress]),
                        count: sound.samples.count))
            }
        }
        self.states = states
        self.sounds = sounds
    }

    /// Writes the file.
    func write(to path: String) throws(BoxError) {
        var file = try BoxListFile(path)
        try file.add("arrivals", arrivals)
        try file.add("commands", commands)
        try file.add("messages", messages)
        try file.add("sounds", sounds ?? [])
        try file.add("states", states ?? [])
        try file.close()
    }

    /// Adds the events to a log that has its calls and the samples of the sounds; throws `BoxError`
    /// if a call does not exist, or a number is not valid.
    func add(to log: inout BoxLog) throws(BoxError) {
        var (command, message, arrival, state) = (0, 0, 0, 0)
        let states = states ?? []
        try addSounds(to: &log)
        for index in log.calls.indices {
            let (firstCommand, firstMessage) = (log.commands.count, log.messages.count)
            let firstArrival = log.arrivals.count
            while arrival < arrivals.count, arrivals[arrival].call == index {
                log.arrivals.append(arrivals[arrival].arrivals)
                arrival += 1
            }
            log.calls[index].arrivals = firstArrival..<log.arrivals.count
            let firstState = log.states.count
            while state < states.count, states[state].call == index {
                try log.states.append(states[state].noted)
                state += 1
            }
            log.calls[index].states = firstState..<log.states.count
            while command < commands.count, commands[command].call == index {
                log.commands.append(commands[command].command.timed)
                command += 1
            }
            while message < messages.count, messages[message].call == index {
                let stored = messages[message]
                guard (0..<1024).contains(stored.slot), stored.frame >= 0,
                    Int(stored.frame) < max(1, log.calls[index].frameCount)
                else { throw BoxError("events.json: a message is not valid") }
                log.messages.append(
                    BoxLog.Message(slot: stored.slot, frame: stored.frame, bytes: stored.bytes))
                message += 1
            }
            log.calls[index].commands = firstCommand..<log.commands.count
            log.calls[index].messages = firstMessage..<log.messages.count
        }
        guard command == commands.count, message == messages.count, arrival == arrivals.count,
            state == states.count
        else {
            throw BoxError("events.json: the events are not in the order of the calls")
        }
    }

    private func addSounds(to log: inout BoxLog) throws(BoxError) {
        let sounds = sounds ?? []
        var (sound, sample) = (0, 0)
        for index in log.calls.indices {
            let first = log.sounds.count
            while sound < sounds.count, sounds[sound].call == index {
                let noted = try sounds[sound].noted(from: sample)
                sample = noted.samples.upperBound
                log.sounds.append(noted)
                sound += 1
            }
            log.calls[index].sounds = first..<log.sounds.count
        }
        guard sound == sounds.count else {
            throw BoxError("events.json: the sounds are not in the order of the calls")
        }
        guard sample == log.soundSamples.count else {
            throw BoxError(
                "\(BoxSounds.fileName) does not have the length of the sounds in events.json")
        }
    }

    /// Whether there are samples of sounds in another file.
    var hasSamples: Bool { sounds?.contains { $0.count > 0 } == true }
}

/// The reason why a box cannot be written, read or replayed: a sentence without its full stop.
public struct BoxError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The sentence.
    public var description: String

    /// Creates an error.
    public init(_ description: String) { self.description = description }
}
