internal import ArgumentParser
internal import Pipelines

/// `stompline schema`: prints the JSON Schema of pipeline files or of setlists.
struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Print the JSON Schema (draft-07) of pipelines or setlists, for editors.",
        discussion: """
            Example:
              stompline schema > pipeline.schema.json

            Put the file next to a pipeline that contains
            "$schema": "pipeline.schema.json", and editors complete and check the
            pipeline while you type. With --setlist, it is the schema of setlists.
            """)

    @Flag(help: "Print the schema of setlists.")
    var setlist = false

    func run() throws {
        let schema = PipelineSchema(
            catalogue: HostServices.catalogue(), kind: setlist ? .setlist : .pipeline)
        try Console.put(schema.value)
    }
}
