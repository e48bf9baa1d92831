internal import Pipelines

/// A pipeline's inputs or outputs; audio signals with the channels of the engine that they use.
struct Signals {
    /// One audio signal.
    struct Signal {
        let name: String
        let channels: Range<Int>
    }

    private let audio: [Signal]
    /// The names of the MIDI signals, in the pipeline's order.
    let midi: [String]
    private let kind: String

    init(_ inputs: [Pipeline.Input]) {
        self.init("input", inputs.map { ($0.name, $0.channels, $0.kind) })
    }

    init(_ outputs: [Pipeline.Output]) {
        self.init("output", outputs.map { ($0.name, $0.channels, $0.kind) })
    }

    private init(_ kind: String, _ list: [(String, Int, Pipeline.SignalKind)]) {
        self.kind = kind
        midi = list.filter { $0.2 == .midi }.map(\.0)
        var start = 0
        audio = list.filter { $0.2 == .audio }.map { name, count, _ in
            defer { start += count }
            return Signal(name: name, channels: start..<start + count)
        }
    }

    /// Returns the audio signal with this name.
    func named(_ name: String) -> Signal? { audio.first { $0.name == name } }

    /// Checks that each file belongs to a signal, and that no signal has two files.
    ///
    /// - Throws: `RenderError` for the first file that does not match.
    func check(_ files: [RenderRequest.NamedFile]) throws(RenderError) {
        var seen: Set<String> = []
        for name in files.map(\.name) {
            guard named(name) != nil || midi.contains(name) else {
                let names = audio.map(\.name) + midi
                let list = names.map { "'\($0)'" }.joined(separator: ", ")
                let known = names.isEmpty ? "it has none" : "available are \(list)"
                throw .request("the pipeline has no \(kind) '\(name)': \(known)")
            }
            if !seen.insert(name).inserted {
                throw .request("\(kind) '\(name)' has two files; give only one")
            }
        }
    }

    /// Returns a number of channels as text, such as "1 channel" or "2 channels".
    static func text(channels: Int) -> String { "\(channels) channel\(channels == 1 ? "" : "s")" }
}
