internal import CRealtime
public import Engine
internal import Glibc
internal import Platform

/// Keeps the last minutes of everything that an engine receives, and writes them as a box on
/// request.
///
/// The audio thread writes into a ring. Another thread moves the records into memory of a fixed
/// size, a file in RAM that remains after a crash of the program.
public final class BlackBox: Sendable {
    /// The properties of a black box.
    public struct Options: Sendable {
        /// The time to keep, in seconds.
        public var seconds = 120.0
        /// The version of the program.
        public var program: String
        /// The name of the session.
        public var name: String
        /// The sample rate in Hz.
        public var sampleRate: Double
        /// The frames per cycle.
        public var blockFrames: Int
        /// The number of audio input slots.
        public var inputChannels: Int
        /// Whether nodes keep sound that they note, such as loops: they need more memory.
        public var keepsSound = false
        /// The folder in RAM for the memories of all sessions.
        public var memoryFolder: String
        /// Whether boxes never contain sound, also after a crash.
        public var isPrivate = false
        /// The size of all schedules as JSON, in bytes, above which the oldest are forgotten with
        /// their calls, unless they are few.
        package var mostScheduleBytes = 8 << 20
        /// The time for which the ring has room while its reader does not run, in seconds.
        package var ringSeconds = 2.0
        /// How long a schedule waits at most until it is in RAM, in seconds; then the engine receives
        /// it.
        package var scheduleWaitSeconds = 0.01

        /// Creates options.
        public init(
            program: String, name: String, sampleRate: Double, blockFrames: Int,
            inputChannels: Int, memoryFolder: String
        ) {
            self.program = program
            self.name = name
            self.sampleRate = sampleRate
            self.blockFrames = blockFrames
            self.inputChannels = inputChannels
            self.memoryFolder = memoryFolder
        }
    }

    /// The capture for the engine, which must not be used for another one.
    public let capture: EngineCapture
    private let mailbox: Mailbox<BoxMessage>
    private let thread: OwnThread

    /// Creates a black box.
    ///
    /// - Returns: `nil`, with the reason in `message`, if there is not enough memory.
    public init?(_ options: Options, message: inout String) {
        let words = options.words(seconds: options.seconds)
        var ringWords = 1 << 14
        while ringWords < options.words(seconds: options.ringSeconds) { ringWords *= 2 }
        let folder = "\(options.memoryFolder)/\(getpid())-\(rt_nanoseconds())"
        guard
            let memory = BoxMemory(folder: folder, ringWords: ringWords, storeWords: words)
        else {
            message = "\(folder): \(SystemError.last.message)"
            return nil
        }
        let mailbox = Mailbox<BoxMessage>()
        self.mailbox = mailbox
        capture = EngineCapture(
            ring: memory.ring, owner: memory, soundRoundFrames: options.soundRoundFrames,
            onStart: { mailbox.post(.start($0)) },
            onSchedule: { number, recipe in
                // The first cycle of a new schedule is a likely time of a crash.
                let isStored = Mailbox<Void>()
                mailbox.post(.schedule(number, recipe, isStored: isStored))
                _ = isStored.wait(
                    untilNanoseconds: rt_nanoseconds()
                        + UInt64(options.scheduleWaitSeconds * 1e9))  // checked: an option
            })
        let keeper = BoxKeeper(memory, options)
        guard
            let thread = OwnThread(
                name: "black box", { keeper.run(mailbox) })
        else {
            memory.remove()
            message = "the system has no thread left"
            return nil
        }
        self.thread = thread
    }

    /// Writes a box of the last minutes.
    ///
    /// - Parameters:
    ///   - reason: The reason.
    ///   - folder: The path of the box, which must not exist.
    ///   - isPrivate: Whether audio and files are left out of this box.
    ///   - done: Called on another thread with the result.
    public func keep(
        _ reason: BoxReason, in folder: String, isPrivate: Bool = false,
        done: @escaping @Sendable (Result<String, BoxError>) -> Void
    ) {
        mailbox.post(
            .keep(BoxOrder(reason: reason, folder: folder, isPrivate: isPrivate, done: done)))
    }

    /// Ends the thread, and removes the files of the memory.
    public func end() {
        mailbox.post(.end)
        thread.join()
    }
}

extension BlackBox.Options {
    /// The largest memory, in bytes.
    public static let mostBytes = 1 << 28
    /// The number of words for a call and its end, without samples.
    private static let wordsPerCall = 16.0
    /// The number of words for a frame in notes of the state of nodes, at most.
    private static let stateWordsPerFrame = 1.0 / 24

    /// The number of words for a frame in notes of the sound that nodes keep, at most.
    private static let soundWordsPerFrame = 1.0
    /// The shortest time in which nodes note all sound that they keep, in seconds.
    private static let soundRoundSeconds = 30.0

    /// The shortest time in which nodes note all sound that they keep, in frames: at most a quarter
    /// of the time to keep.
    fileprivate var soundRoundFrames: Int {
        let round = min(Self.soundRoundSeconds, max(1, seconds) / 4)
        return Int(round * min(max(sampleRate, 1), 1e6))  // checked: limits
    }

    /// The number of words for a second.
    private var wordsPerSecond: Double {
        let samples = sampleRate * Double(max(1, inputChannels)) / 2
        return samples + sampleRate / Double(max(1, blockFrames)) * Self.wordsPerCall
            + sampleRate * (Self.stateWordsPerFrame + (keepsSound ? Self.soundWordsPerFrame : 0))
    }

    /// Returns the number of words for a time.
    fileprivate func words(seconds: Double) -> Int {
        let words = min(Double(Self.mostBytes / 8), seconds * wordsPerSecond)
        return max(1 << 14, Int(words))  // checked: at most mostBytes
    }

    /// The time that fits into the largest memory, in seconds, at most the time to keep.
    public var fittingSeconds: Double {
        min(seconds, Double(Self.mostBytes / 8) / wordsPerSecond)
    }
}

/// A message to the thread of a black box.
enum BoxMessage: Sendable {
    case start(EngineStart)
    case schedule(UInt64, ScheduleRecipe, isStored: Mailbox<Void>)
    case keep(BoxOrder)
    case end
}

/// A request for a box.
struct BoxOrder: Sendable {
    let reason: BoxReason
    let folder: String
    let isPrivate: Bool
    let done: @Sendable (Result<String, BoxError>) -> Void
}
