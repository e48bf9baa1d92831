import Glibc
import Pipelines
import Processing
import Recorders
import Testing
import TestSignals

@Suite("A recorder in a pipeline file")
struct PipelineTests {
    private let folder = ScratchFolder()

    private func catalogue(_ permissions: Permissions = Permissions()) -> Catalogue {
        Catalogue(
            effects: [Recorder.effect(DiskThread())], plugins: NoPlugins(),
            permissions: permissions)
    }

    private func pipeline(
        _ node: String, in name: String = ".", _ permissions: Permissions = Permissions()
    ) throws -> Pipeline {
        mkdir(folder.file(name), 0o777)
        let text = #"{ "version": 1, "nodes": [ { "id": "tape", "type": "recorder", \#(node) } ] }"#
        let path = folder.write(text, to: "\(name)/show.json")
        return try Pipeline(
            contentsOf: path, catalogue: catalogue(permissions), sampleRate: 48_000)
    }

    @Test("writes next to that file, whatever its folder is called")
    func besideTheFile() throws {
        let pipeline = try pipeline(
            #""settings": { "file": "takes/%%.wav", "bits": 32 }"#, in: "100 %Y")
        let node = try #require(pipeline.nodes.first)
        let recorder = Recorder.effect(DiskThread()).processor(
            channels: 2, parameters: ["recording": 1], settings: node.settings)
        _ = recorder.render(Recording().noise(frames: 10_000))
        #expect(names(in: folder.file("100 %Y/takes")) == ["%.wav"])
    }

    @Test("writes into the takes folder, if there is one")
    func takesFolder() throws {
        let permissions = Permissions(takesFolder: folder.file("5 %d"))
        let pipeline = try pipeline(#""settings": { "file": "a.wav" }"#, in: "show", permissions)
        #expect(pipeline.nodes.first?.settings["file"] == .text(folder.file("5 %%d/a.wav")))
    }

    @Test(
        "is refused with its position and reason",
        arguments: [
            ("\"mix\": 1", "needs the setting \"file\""),
            (#""settings": { "file": "../a.wav" }"#, "outside the pipeline's folder"),
            (#""settings": { "file": "takes/" }"#, "is not the path of a file"),
            (#""settings": { "file": "" }"#, "is not the path of a file"),
            (#""settings": { "file": "a.flac", "bits": 32 }"#, "flac supports 16 or 24 bits"),
            (#""settings": { "file": "a.ogg", "bits": 16 }"#, "ogg does not support \"bits\""),
            (#""settings": { "file": "a.wav", "format": "flac" }"#, "\"format\" is flac"),
            (#""settings": { "file": "a.wav", "hold": 1 }"#, "requires \"threshold\""),
            (#""settings": { "file": "a.wav", "pre-roll": 61 }"#, "pre-roll"),
        ])
    func refused(_ node: String, _ reason: String) {
        #expect {
            try pipeline(node)
        } throws: { error in
            guard let fault = (error as? InvalidPipeline)?.diagnostics.first else { return false }
            return fault.message.contains(reason) && fault.line == 1 && fault.column > 1
        }
    }
}
