internal import Pipelines
internal import Processing
internal import Testing

@Suite("JSON Schema")
struct SchemaTests {
    @Test("the schema of this catalogue matches the recorded schema")
    func golden() throws {
        let text = PipelineSchema(catalogue: FakeCatalogue.catalogue).text
        let kept = try TestFiles.text("Golden/schema.json")
        #expect(text == kept, "\(Difference(from: kept, to: text))")
    }

    @Test("the schema is recorded again", .enabled(if: TestFiles.isRecording))
    func record() throws {
        let text = PipelineSchema(catalogue: FakeCatalogue.catalogue).text
        try TestFiles.write(text, to: "Golden/schema.json")
    }

    @Test("the schema of setlists has the keys of a setlist, and bindings with songs")
    func setlists() {
        let text = PipelineSchema(catalogue: FakeCatalogue.catalogue, kind: .setlist).text
        let document = Document(parsing: Array(text.utf8), errors: ErrorList())
        let keys = document.root["properties"]?.members.map(\.key) ?? []
        #expect(keys.contains("songs") && keys.contains("before") && keys.contains("after"))
        let binding = document.root["definitions"]?["binding"]?["properties"]
        #expect(binding?["song"] != nil)
    }

    @Test("the schema is valid strict JSON, with every effect's definition")
    func parses() {
        let errors = ErrorList()
        let text = PipelineSchema(catalogue: FakeCatalogue.catalogue).text
        let document = Document(parsing: Array(text.utf8), errors: errors)
        #expect(errors.isEmpty)
        let definitions = document.root["definitions"]?.members.map(\.key) ?? []
        let effects = FakeCatalogue.catalogue.effects.map { "node-" + $0.description.name }
        #expect(definitions == ["node", "binding", "message", "node-lv2"] + effects)
    }
}
