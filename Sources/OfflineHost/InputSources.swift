internal import Pipelines
internal import SoundFiles

/// The opened files of a request's inputs, each at the engine's rate.
struct InputSources {
    private let pipeline: Pipeline
    private var feeds: [(source: any FrameSource, channels: Range<Int>)] = []
    /// One place a MIDI input of the pipeline.
    let midiFeeds: [MIDIFeed?]

    /// Opens the files that a request names for a pipeline's inputs.
    ///
    /// - Throws: `RenderFault` where a name is not an audio input's, channels do not fit, or a file can't be read.
    init(_ pipeline: Pipeline, _ request: RenderRequest) throws(RenderFault) {
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
    ) throws(RenderFault) -> [MIDIFeed?] {
        var feeds: [MIDIFeed?] = []
        for name in signals.midi {
            guard let file = request.inputs.first(where: { $0.name == name }) else {
                feeds.append(nil)
                continue
            }
            do throws(MIDIFileFault) {
                feeds.append(
                    MIDIFeed(try MIDIFile(path: file.path), sampleRate: request.sampleRate))
            } catch { throw .midiFile(error) }
        }
        return feeds
    }

    private static func open(
        _ path: String, at sampleRate: Double
    ) throws(RenderFault) -> any FrameSource {
        do {
            return try SoundFile.open(path).frames(at: sampleRate)
        } catch {
            throw .file(error)
        }
    }

    /// How long the outputs are: the longest input and the tail, or the length asked for; without inputs, as long as the
    /// longest source plays.
    ///
    /// - Throws: `RenderFault` where nothing says so.
    func lengthFrames(_ request: RenderRequest) throws(RenderFault) -> Int {
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
            throw .request("without an input file, a length says how long the output is")
        }
        return longest + tail
    }

    /// What fills the engine's channels, a stretch at a time.
    func feeds(stretchFrames: Int) -> [InputFeed] {
        feeds.map { InputFeed($0.source, channels: $0.channels, stretchFrames: stretchFrames) }
    }
}
