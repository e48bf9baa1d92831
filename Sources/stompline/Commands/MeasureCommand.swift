internal import ArgumentParser
internal import JackHost
internal import Pipelines
internal import Platform
internal import Realtime
internal import SessionCore

/// `stompline measure`: measures the latency of a loop from an output to an input.
struct MeasureCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "measure",
        abstract: "Measure the latency of an input: from an output, through a loop, to the input.",
        discussion: """
            Examples:
              stompline measure duo.json                        the first output and input
              stompline measure duo.json --output send --input far
              stompline measure duo.json --input far --write    and write it into the file
              stompline measure duo.json --input far --one-way --write    write half of it

            Connect the loop first, such as a cable, or the returning signal of another
            machine. The command joins the running JACK server, makes the connections of
            the output and the input that the file lists, sends three bursts of noise of a
            tenth of a second, and finds them in the input. It prints the round trip, and
            the rest after the latency of the output: the latency of the input. --write
            writes this as "latency" of the input, and changes nothing else in the file.
            Turn the volume down: the bursts are heard.

            Sound that another machine sends crosses the network once, but the round trip
            crosses it twice. With --one-way, the latency of the input is half of the round
            trip, rounded to a whole frame. This is correct if both directions take the same
            time and the buffers of both machines are equal.
            """)

    @Argument(
        help: ArgumentHelp("A pipeline or a setlist file.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var file: String

    @Option(help: ArgumentHelp("The output that sends (default: the first).", valueName: "name"))
    var output: String?

    @Option(help: ArgumentHelp("The input that listens (default: the first).", valueName: "name"))
    var input: String?

    @Flag(help: "Write the latency of the input into the file.")
    var write = false

    @Flag(
        help: ArgumentHelp(
            "Halve the round trip, for sound that crosses a network once.",
            discussion:
                "Both directions must take the same time, and the buffers of both machines must "
                + "be equal."))
    var oneWay = false

    @Option(
        help: ArgumentHelp(
            "The peak of the bursts in dBFS, -60 to -3 (default: -20).", valueName: "dB"))
    var level = -20.0

    @Option(help: ArgumentHelp("The JACK server's name (default: JACK's own).", valueName: "name"))
    var server: String?

    @Flag(help: "Print a JSON object.")
    var json = false

    func validate() throws {
        guard (-60.0 ... -3.0).contains(level) else {
            throw ValidationError("--level must be -60 to -3 dBFS, not \(level.plain)")
        }
    }

    func run() throws {
        let ends = try LoopEnds(in: file, output: output, input: input)
        let peak = Float(Decibels(level).amplitude)
        let trip: LoopMeasurement.RoundTrip
        do throws(LoopMeasurement.Failure) {
            let measurement = try LoopMeasurement(server: server, peak: peak)
            try measurement.connect(output: ends.output.connect, input: ends.input.connect)
            trip = try measurement.measure()
        } catch {
            throw Failure(error, ends)
        }
        let result = MeasuredLatency(trip, ends, isOneWay: oneWay)
        try Console.put(json ? result.json.text : result.lines.joined(separator: "\n"))
        guard write else { return }
        try result.write(to: file)
        Console.notify("\(file): latency of \"\(ends.input.name)\" is \(result.text) ms now")
    }
}

/// The output and the input at the ends of a loop.
struct LoopEnds {
    let output: Pipeline.Output
    let input: Pipeline.Input

    /// Finds the ends in a file; without names, its first audio output and input.
    ///
    /// - Throws: `ExitCode` after the errors of the file were shown; `Failure` if there is no such
    ///   end.
    init(in file: String, output: String?, input: String?) throws {
        let songs = try SongReader(
            file, catalogue: HostServices.catalogue(permissions: .looking), isTolerant: true
        ).readOrFail(sampleRate: SongReader.defaultSampleRate)
        let pipeline = songs.songs[songs.firstPlayable].pipeline
        let outputs = pipeline.outputs.filter { $0.kind == .audio }
        let inputs = pipeline.inputs.filter { $0.kind == .audio }
        self.output = try Self.chosen(output, outputs, \.name, "output", file)
        self.input = try Self.chosen(input, inputs, \.name, "input", file)
    }

    private static func chosen<Signal>(
        _ name: String?, _ signals: [Signal], _ nameOf: (Signal) -> String, _ kind: String,
        _ file: String
    ) throws -> Signal {
        let found = name.map { name in signals.first { nameOf($0) == name } } ?? signals.first
        guard let found else {
            let names = signals.map { "'\(nameOf($0))'" }.joined(separator: ", ")
            let wanted = name.map { "no audio \(kind) '\($0)'" } ?? "no audio \(kind)"
            throw Failure.usage(
                "\(file) has \(wanted)" + (names.isEmpty ? "" : "; it has \(names)"))
        }
        return found
    }
}

/// A measured round trip, and the latency of the input that follows from it.
struct MeasuredLatency {
    private let trip: LoopMeasurement.RoundTrip
    private let ends: LoopEnds
    private let isOneWay: Bool

    /// Creates the result of a measurement.
    ///
    /// - Parameters:
    ///   - trip: The measured round trip.
    ///   - ends: The ends of the loop.
    ///   - isOneWay: Whether the latency of the input is half of the round trip.
    init(_ trip: LoopMeasurement.RoundTrip, _ ends: LoopEnds, isOneWay: Bool) {
        self.trip = trip
        self.ends = ends
        self.isOneWay = isOneWay
    }

    /// The latency of the output, in frames: as the file states it, or else as JACK reports it.
    private var outputFrames: Int {
        guard let stated = ends.output.latencyMilliseconds else { return trip.reportedOutputFrames }
        return Int((stated / 1000 * trip.sampleRate).rounded())
    }

    /// The round trip without the latency of the output, in frames.
    private var wholeFrames: Int { trip.typicalFrames - outputFrames }

    /// The latency of the input, in frames.
    private var inputFrames: Int { isOneWay ? trip.oneWayFrames : wholeFrames }

    /// The latency of the input in ms, exact to a hundredth of a frame.
    var text: String { milliseconds(inputFrames).plain }

    private func milliseconds(_ frames: Int) -> Double {
        (Double(frames) / trip.sampleRate * 1e6).rounded() / 1000
    }

    private func time(_ frames: Int) -> String {
        "\(frames) frames (\(milliseconds(frames).plain) ms)"
    }

    /// The result as text.
    var lines: [String] {
        let spread = trip.frames.upperBound - trip.frames.lowerBound
        let (output, input) = (ends.output.name, ends.input.name)
        return [
            "round trip from \(output) to \(input): \(time(trip.typicalFrames))"
                + (spread > 0 ? ", varies by \(spread) frames" : ""),
            isOneWay ? assumption : outputLine,
            "latency of the input \(input): \(time(inputFrames)); "
                + "JACK reports \(time(trip.reportedInputFrames))",
        ]
    }

    private var outputLine: String {
        let source =
            ends.output.latencyMilliseconds == nil ? "as JACK reports" : "as the file states"
        return "latency of the output \(ends.output.name): \(time(outputFrames)), \(source)"
    }

    private var assumption: String {
        "one way: half of it, if both directions take the same time "
            + "and the buffers of both machines are equal"
    }

    /// The result as JSON; for one way, with both the whole latency and half of the round trip.
    var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("output", .string(ends.output.name)),
            .init("input", .string(ends.input.name)),
            .init("sample_rate", .number(trip.sampleRate)),
            .init("round_trip_frames", .integer(trip.typicalFrames)),
            .init("shortest_frames", .integer(trip.frames.lowerBound)),
            .init("longest_frames", .integer(trip.frames.upperBound)),
            .init("output_latency_frames", .integer(outputFrames)),
            .init("input_latency_frames", .integer(wholeFrames)),
            .init("input_latency_ms", .number(milliseconds(wholeFrames))),
        ]
        if isOneWay {
            members += [
                .init("one_way_frames", .integer(trip.oneWayFrames)),
                .init("one_way_ms", .number(milliseconds(trip.oneWayFrames))),
            ]
        }
        return .object(members)
    }

    /// Writes the latency of the input into a file.
    ///
    /// - Throws: `Failure` if the file does not list the input, or cannot be written.
    func write(to file: String) throws {
        guard inputFrames >= 0 else {
            throw Failure(
                "\(file) is not changed: the output alone is later than the whole loop; "
                    + "correct the \"latency\" of \"\(ends.output.name)\"", .failed)
        }
        do {
            let old = try PipelineText(ofFile: file)
            let place = JSONPointer(tokens: ["inputs", ends.input.name, "latency"])
            let value = JSONFragment(.number(milliseconds(inputFrames)))
            let new = try old.applying(JSONPatch([.init(.add(value), at: place)]))
            try new.save(to: file, over: old)
        } catch let error as EditError {
            throw Failure("\(file) is not changed: \(error.message)", .failedWrite)
        } catch let error as PatchError {
            throw Failure(
                "\(file) is not changed, because it does not list the input "
                    + "\"\(ends.input.name)\": \(error.message)", .failedWrite)
        }
    }
}

extension Failure {
    fileprivate init(_ error: LoopMeasurement.Failure, _ ends: LoopEnds) {
        switch error {
        case .jack(let error): self.init(error.message, .unavailable)
        case .outputUnconnected:
            self.init(
                "no port fits \"connect\" of the output \"\(ends.output.name)\"; "
                    + "'stompline ports' lists the ports", .unavailable)
        case .inputUnconnected:
            self.init(
                "no port fits \"connect\" of the input \"\(ends.input.name)\"; "
                    + "'stompline ports' lists the ports", .unavailable)
        case .noAnswer:
            self.init(
                "\"\(ends.input.name)\" did not receive the burst within a second; "
                    + "check the loop, or raise --level", .unavailable)
        case .missedCycles:
            self.init("the JACK server missed cycles during all attempts; try again", .unavailable)
        }
    }
}
