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

            Put the file next to a pipeline that contains
            "$schema": "pipeline.schema.json", and editors complete and check the
            pipeline while you type.
            """)

    func run() throws {
        try Console.put(PipelineSchema(catalogue: HostServices.catalogue()).value)
    }
}
