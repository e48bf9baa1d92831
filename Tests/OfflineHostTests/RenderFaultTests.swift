import Glibc
import OfflineHost
import SoundFiles
import TestSignals
import Testing

@Suite("Requests that cannot be rendered")
struct RenderFaultTests {
    private static let pipeline = """
        "inputs": { "in": { "channels": 2 }, "keys": { "kind": "midi" } }, "outputs": { "out": { "channels": 2 } }
        """
    private let rendering: Rendering
    private let valid: RenderRequest

    init() throws {
        rendering = try Rendering(Self.pipeline)
        valid = try rendering.request([[0, 0], [0, 0]])
    }

    /// What is wrong with the request once it is changed so.
    private func fault(_ adjust: (inout RenderRequest) throws -> Void) rethrows -> RenderFault? {
        var request = valid
        try adjust(&request)
        return #expect(throws: RenderFault.self) {
            try OfflineRender(rendering.pipeline, catalogue: Rendering.catalogue, request).run()
        }
    }

    private func request(_ fault: RenderFault?) -> String {
        if case .request(let message) = fault { message } else { "" }
    }

    @Test("an input or output that the pipeline has not is named with those it has")
    func unknownNames() {
        let input = fault { $0.inputs[0].name = "mic" }
        #expect(request(input) == "the pipeline has no input 'mic': there is 'in', 'keys'")
        let output = fault { $0.outputs[0].name = "main" }
        #expect(request(output) == "the pipeline has no output 'main': there is 'out'")
    }

    @Test("what a MIDI input is given must be a MIDI file")
    func soundForMIDI() {
        let fault = fault { $0.inputs[0].name = "keys" }
        guard case .midiFile(let fault) = fault else {
            Issue.record("\(String(describing: fault))")
            return
        }
        #expect(
            fault.description.hasSuffix(
                "in.wav: byte 0: this is no standard MIDI file, which begins with \"MThd\""))
    }

    @Test("channels that do not fit are told, both counts")
    func channels() throws {
        let path = try rendering.write([[0], [0], [0]], to: "three.wav")
        let message = request(fault { $0.inputs[0].path = path })
        #expect(message == "input 'in' has 2 channels, but '\(path)' has 3 channels")
    }

    @Test("one file cannot be two things")
    func sharedFiles() {
        #expect(request(fault { $0.outputs.append($0.outputs[0]) }).contains("given two files"))
        #expect(request(fault { $0.inputs.append($0.inputs[0]) }).contains("given two files"))
        let both = fault { $0.outputs[0].path = rendering.folder.path + "/./in.wav" }
        #expect(request(both).contains("input and output at once"))
        #expect((try? SoundFileReader(path: valid.inputs[0].path))?.frameCount == 2)
    }

    @Test("without an input file the length must be said")
    func noLength() {
        #expect(request(fault { $0.inputs = [] }).contains("length"))
    }

    @Test("files that cannot be read or made are told apart")
    func files() {
        let missing = rendering.folder.file("none.wav")
        let reading = fault { $0.inputs[0].path = missing }
        #expect(reading == .file(SoundFileFault(missing, .reading, "No such file or directory")))
        let unwritable = rendering.folder.file("none/out.wav")
        let writing = fault { $0.outputs[0].path = unwritable }
        #expect(writing == .file(SoundFileFault(unwritable, .writing, "No such file or directory")))
    }
}
