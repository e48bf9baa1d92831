internal import ArgumentParser
internal import Pipelines

/// `stompline schema`: prints the JSON Schema of pipeline files.
struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Print the JSON Schema (draft-07) of pipeline files, for editors.",
        discussion: """
            Example:
              stompline schema > pipeline.schema.json

            A pipeline beside it that begins with "$schema": "pipeline.schema.json" is
            completed and checked by the editor while it is written.
            """)

    func run() throws {
        try Console.put(PipelineSchema(catalogue: Surroundings.catalogue()).value)
    }
}
