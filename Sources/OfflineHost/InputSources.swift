internal import Pipelines
internal import SoundFiles

/// The open files of a request's inputs, each converted to the engine's sample rate.
struct InputSources {
    private let pipeline: Pipeline
    private var feeds: [(source: any FrameSource, channels: Range<Int>)] = []
    /// One entry per MIDI input of the pipeline.
    let midiFeeds: [MIDIFeed?]

    /// Opens the files that a request names for a pipeline's inputs.
    ///
    /// - Throws: `RenderError` if a name is not that of an input, if the channels do not match, or
    ///   if a file cannot be read.
    init(_ pipeline: Pipeline, _ request: RenderRequest) throws(RenderError) {
        self.pipeline = pipeline
        let signals = Signals(pipeline.inputs)
        try signals.check(request.inputs)
        midiFeeds = try Self.midiFeeds(signals, request)
        for file in request.inputs {
            guard let signal = signals.named(file.name) else { continue }
            let source = try Self.open(file.path, at: request.sampleRate)
            let fits = source.channels == 1 || source.channels == signal.channels.count
            guard fits else {
                let wanted = Signals.text(channels: signal.channels.count)
                let found = Signals.text(channels: source.channels)
                throw .request(
                    "input '\(file.name)' has \(wanted), but '\(file.path)' has \(found)")
            }
            feeds.append((source, signal.channels))
        }
    }

    private static func midiFeeds(
        _ signals: Signals, _ request: RenderRequest
    ) throws(RenderError) -> [MIDIFeed?] {
        var feeds: [MIDIFeed?] = []
        for name in signals.midi {
            guard let file = request.inputs.first(where: { $0.name == name }) else {
                feeds.append(nil)
                continue
            }
            do throws(MIDIFileError) {
                feeds.append(
                    MIDIFeed(try MIDIFile(path: file.path), sampleRate: request.sampleRate))
            } catch { throw .midiFile(error) }
        }
        return feeds
    }

    private static func open(
        _ path: String, at sampleRate: Double
    ) throws(RenderError) -> any FrameSource {
        do {
            return try SoundFile.open(path).frames(at: sampleRate)
        } catch {
            throw .file(error)
        }
    }

    /// Returns the length of the outputs, in frames.
    ///
    /// It is the requested length, or the longest input plus the tail. Without input files, it is
    /// the duration of the longest source node plus the tail.
    ///
    /// - Throws: `RenderError` if there is neither a length, an input, a source node with an end,
    ///   nor a tail.
    func lengthFrames(_ request: RenderRequest) throws(RenderError) -> Int {
        if let seconds = request.lengthSeconds {
            return Int((seconds * request.sampleRate).rounded())
        }
        let tail = Int((request.tailSeconds * request.sampleRate).rounded())
        let lengths =
            feeds.map(\.source.frameCount) + midiFeeds.compactMap { $0?.lengthFrames }
        let played = pipeline.nodes.compactMap { $0.playedSeconds }.max().map {
            Int(($0 * request.sampleRate).rounded())
        }
        guard let longest = lengths.max() ?? played ?? (tail > 0 ? 0 : nil) else {
            throw .request("no input file and no length given: add an input file or a length")
        }
        return longest + tail
    }

    /// Creates the feeds that fill the engine's channels, one chunk at a time.
    func feeds(chunkFrames: Int) -> [InputFeed] {
        feeds.map { InputFeed($0.source, channels: $0.channels, chunkFrames: chunkFrames) }
    }
}
