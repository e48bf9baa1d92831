import Glibc
import OfflineHost
import SoundFiles
import Testing
import TestSignals

@Suite("Invalid render requests")
struct RenderErrorTests {
    private static let pipeline = """
        "inputs": { "in": { "channels": 2 }, "keys": { "kind": "midi" } }, "outputs": { "out": { "channels": 2 } }
        """
    private let rendering: Rendering
    private let valid: RenderRequest

    init() throws {
        rendering = try Rendering(Self.pipeline)
        valid = try rendering.request([[0, 0], [0, 0]])
    }

    /// Returns the error of the valid request after an adjustment.
    private func error(_ adjust: (inout RenderRequest) throws -> Void) rethrows -> RenderError? {
        var request = valid
        try adjust(&request)
        return #expect(throws: RenderError.self) {
            try OfflineRender(rendering.pipeline, catalogue: Rendering.catalogue, request).run()
        }
    }

    private func request(_ error: RenderError?) -> String {
        if case .request(let message) = error { message } else { "" }
    }

    @Test("the error for an unknown input or output lists the pipeline's own")
    func unknownNames() {
        let input = error { $0.inputs[0].name = "mic" }
        #expect(request(input) == "the pipeline has no input 'mic': available are 'in', 'keys'")
        let output = error { $0.outputs[0].name = "main" }
        #expect(request(output) == "the pipeline has no output 'main': available are 'out'")
    }

    @Test("the file for a MIDI input must be a MIDI file")
    func soundForMIDI() {
        let error = error { $0.inputs[0].name = "keys" }
        guard case .midiFile(let error) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(
            error.description.hasSuffix(
                "in.wav: byte 0: not a standard MIDI file: it does not start with \"MThd\""))
    }

    @Test("an error about channels that do not fit contains both counts")
    func channels() throws {
        let path = try rendering.write([[0], [0], [0]], to: "three.wav")
        let message = request(error { $0.inputs[0].path = path })
        #expect(message == "input 'in' has 2 channels, but '\(path)' has 3 channels")
    }

    @Test("one file cannot be used twice")
    func sharedFiles() {
        #expect(request(error { $0.outputs.append($0.outputs[0]) }).contains("has two files"))
        #expect(request(error { $0.inputs.append($0.inputs[0]) }).contains("has two files"))
        let both = error { $0.outputs[0].path = rendering.folder.path + "/./in.wav" }
        #expect(request(both).contains("both an input and an output"))
        #expect((try? SoundFileReader(path: valid.inputs[0].path))?.frameCount == 2)
    }

    @Test("without an input file, a length is required")
    func noLength() {
        #expect(request(error { $0.inputs = [] }).contains("length"))
    }

    @Test("unreadable inputs and outputs that cannot be created have different errors")
    func files() {
        let missing = rendering.folder.file("none.wav")
        let reading = error { $0.inputs[0].path = missing }
        #expect(reading == .file(SoundFileError(missing, .reading, "No such file or directory")))
        let unwritable = rendering.folder.file("none/out.wav")
        let writing = error { $0.outputs[0].path = unwritable }
        #expect(writing == .file(SoundFileError(unwritable, .writing, "No such file or directory")))
    }
}
