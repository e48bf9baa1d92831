internal import CJack
internal import CRealtime
internal import Engine
internal import Glibc
public import Pipelines

/// Measures the time that sound needs from an output through a loop to an input.
public final class LoopMeasurement {
    /// The longest time that is measured, in seconds.
    public static let longestSeconds = 1.0
    /// The number of pings that must agree.
    public static let pingCount = 3
    /// The attempts for one ping if cycles are missed.
    private static let attempts = 5
    /// The time that the connections of a new client need, in microseconds.
    private static let settlingMicroseconds: UInt32 = 200_000

    private let client: JackClient
    private let output: JackPort
    private let input: JackPort
    private let audio: PingAudio
    private let detector: PingDetector
    private let recordedFrames: Int
    /// The ports of other programs at both ends of the loop.
    public private(set) var connections: (outputs: [String], inputs: [String]) = ([], [])

    /// The result of a measurement, in frames of the server's rate.
    public struct RoundTrip: Sendable, Equatable {
        /// The shortest and the longest time of all pings.
        public var frames: ClosedRange<Int>
        /// The time that most pings needed: the median.
        public var typicalFrames: Int
        /// The playback latency that JACK reports for the output.
        public var reportedOutputFrames: Int
        /// The capture latency that JACK reports for the input.
        public var reportedInputFrames: Int
        /// The server's rate, in Hz.
        public var sampleRate: Double

        /// Half of the typical time, rounded to the nearest frame; half a frame counts as one.
        ///
        /// It is the time of one direction if both take the same time.
        public var oneWayFrames: Int { (typicalFrames + 1) / 2 }

        /// Creates a result.
        ///
        /// - Parameters:
        ///   - frames: The shortest and the longest time of all pings.
        ///   - typicalFrames: The median of the times, at least 0.
        ///   - reportedOutputFrames: The playback latency that JACK reports for the output.
        ///   - reportedInputFrames: The capture latency that JACK reports for the input.
        ///   - sampleRate: The server's rate, in Hz.
        package init(
            frames: ClosedRange<Int>, typicalFrames: Int, reportedOutputFrames: Int,
            reportedInputFrames: Int, sampleRate: Double
        ) {
            self.frames = frames
            self.typicalFrames = typicalFrames
            self.reportedOutputFrames = reportedOutputFrames
            self.reportedInputFrames = reportedInputFrames
            self.sampleRate = sampleRate
        }
    }

    /// The reason why nothing was measured.
    public enum Failure: Error, Sendable, Equatable {
        case jack(JackError)
        /// No port fits the rules of the output.
        case outputUnconnected
        /// No port fits the rules of the input.
        case inputUnconnected
        /// The ping did not arrive within `longestSeconds`, or too faintly.
        case noAnswer
        /// The server missed cycles during every attempt.
        case missedCycles
    }

    /// Joins the running server with a client that has one output and one input.
    ///
    /// - Parameters:
    ///   - server: The server's name; `nil` for the default server.
    ///   - peak: The peak of the ping, an amplitude factor.
    /// - Throws: `Failure.jack`.
    public init(server: String?, peak: Float) throws(Failure) {
        let detector = PingDetector(peak: peak)
        self.detector = detector
        do throws(JackError) {
            let taken = RunningServers.names().union([serverName(server)])
            client = try JackClient(
                name: JackHost.clientName("stompline-measure", unlike: taken), server: server)
            output = try JackPort(name: "ping", kind: .audio, isInput: false, client: client)
            input = try JackPort(name: "answer", kind: .audio, isInput: true, client: client)
            recordedFrames =
                PingDetector.pingFrames + Int(Self.longestSeconds * client.sampleRate)
            audio = PingAudio(
                of: client, from: output, to: input, ping: detector.ping,
                recordedFrames: recordedFrames)
            try client.activate()
        } catch {
            throw .jack(error)
        }
    }

    deinit { client.close() }

    /// Connects both ends by the rules of a file: each to the port of its first connected channel.
    ///
    /// - Throws: `Failure.outputUnconnected` or `.inputUnconnected`.
    public func connect(
        output outputRules: [Pipeline.ConnectionRule], input inputRules: [Pipeline.ConnectionRule]
    ) throws(Failure) {
        let receivers = ports(outputRules, areInputs: true)
        let senders = ports(inputRules, areInputs: false)
        guard !receivers.isEmpty else { throw .outputUnconnected }
        guard !senders.isEmpty else { throw .inputUnconnected }
        let (own, answer) = (client.name + ":" + output.name, client.name + ":" + input.name)
        for port in receivers {
            _ = client.requests.send { jack_connect(client.handle, own, port) }
        }
        for port in senders {
            _ = client.requests.send { jack_connect(client.handle, port, answer) }
        }
        connections = (receivers, senders)
    }

    private func ports(_ rules: [Pipeline.ConnectionRule], areInputs: Bool) -> [String] {
        guard let first = rules.first(where: { $0 != .nothing }) else { return [] }
        let compiled = ConnectionRules([first], channels: 1)
        let candidates = client.portNames(.audio, areInputs: areInputs)
        let found = compiled.connections(among: candidates, passingOver: client.name + ":")
        // A pattern can name one port for each of several channels.
        return Array(found.map(\.port).prefix(1))
    }

    /// Sends pings and finds their answers.
    ///
    /// - Throws: `Failure.noAnswer` or `.missedCycles`.
    public func measure() throws(Failure) -> RoundTrip {
        client.recomputeLatencies()
        usleep(Self.settlingMicroseconds)
        var found: [Int] = []
        for _ in 0..<Self.pingCount { found.append(try ping()) }
        found.sort()
        return RoundTrip(
            frames: found[0]...found[found.count - 1], typicalFrames: found[found.count / 2],
            reportedOutputFrames: output.latency(JackPlaybackLatency).maximum,
            reportedInputFrames: input.latency(JackCaptureLatency).maximum,
            sampleRate: client.sampleRate)
    }

    /// Returns the time of one ping, in frames.
    private func ping() throws(Failure) -> Int {
        for _ in 0..<Self.attempts {
            audio.begin()
            // A server that has stopped calls no callback.
            let seconds = 2 * Double(recordedFrames) / client.sampleRate + 2
            let deadline = rt_nanoseconds() + UInt64(seconds * 1e9)
            while !audio.isComplete, rt_nanoseconds() < deadline { usleep(5_000) }
            guard audio.isComplete else { throw .missedCycles }
            guard let answer = audio.answer else { continue }
            guard let found = detector.find(in: answer) else { throw .noAnswer }
            return found.frame
        }
        throw .missedCycles
    }
}
