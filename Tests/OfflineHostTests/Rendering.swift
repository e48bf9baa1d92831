import Effects
import OfflineHost
import Pipelines
import Processing
import SoundFiles
import TestSignals

/// Renders pipelines given as text from arrays to arrays, using files.
struct Rendering {
    static let catalogue = Catalogue(
        effects: EffectCatalogue.effects + [LatencyEffect.effect], plugins: NoPlugins())

    let folder = ScratchFolder()
    let pipeline: Pipeline

    /// Creates a pipeline from its JSON text without the version.
    init(_ text: String) throws {
        pipeline = try Pipeline(
            decoding: Array("{ \"version\": 1, \(text) }".utf8), file: "test.json",
            catalogue: Self.catalogue)
    }

    /// Writes sound to a file and returns its path.
    func write(_ channels: [[Float]], to name: String, sampleRate: Double = 48_000) throws -> String
    {
        try folder.write(channels, to: name, sampleRate: sampleRate)
    }

    /// Returns the sound of the request's outputs in the request's order, each as an array of
    /// channels.
    func outputs(_ request: RenderRequest) throws -> [[[Float]]] {
        try OfflineRender(pipeline, catalogue: Self.catalogue, request).run()
        return try request.outputs.map { try SoundFileReader(path: $0.path).readChannels() }
    }

    /// Returns a request with sound for the input `in`, and a file for the output `out`.
    func request(_ sound: [[Float]]) throws -> RenderRequest {
        RenderRequest(
            inputs: [.init("in", try write(sound, to: "in.wav"))],
            outputs: [.init("out", folder.file("out.wav"))], sampleRate: 48_000)
    }

    /// Returns the sound at `out` for sound at `in`.
    func callAsFunction(
        _ sound: [[Float]], _ adjust: (inout RenderRequest) -> Void = { _ in }
    ) throws -> [[Float]] {
        var request = try request(sound)
        adjust(&request)
        return try outputs(request)[0]
    }

    /// Returns a change of the value of an address at a time, in seconds.
    func change(_ address: String, _ value: String, at seconds: Double = 0) throws -> TimedChange {
        TimedChange(
            try pipeline.change(address: address, value: value).get(), atSeconds: seconds)
    }
}
