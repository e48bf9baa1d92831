internal import Engine
internal import Pipelines
internal import Processing

/// The schedules of a box, with the paths of this machine.
struct BoxRecipes {
    /// The recipes by number.
    private(set) var recipes: [UInt64: ScheduleRecipe] = [:]
    /// The nodes whose files are not there, so that they are silent or pass their input.
    private(set) var missing: Set<Replay.Unrepeatable> = []

    /// Decodes the schedules.
    ///
    /// - Parameters:
    ///   - box: The box.
    ///   - folder: Its folder; files that played are used from there.
    ///   - catalogue: The effects and plugins.
    /// - Throws: `BoxError` if a schedule is not valid.
    init(_ box: Box, folder: String, _ catalogue: Catalogue) throws(BoxError) {
        var userInfo: [CodingUserInfoKey: any Sendable] = [:]
        if let key = PipelineDecoding.key {
            userInfo[key] = PipelineDecoding(catalogue, sampleRate: box.facts.sampleRate)
        }
        let files = BoxFiles(box.facts.files, folder: folder)
        for (number, text) in box.schedules {
            let name = "schedule-\(number).json"
            var recipe = try BoxCoding.decode(
                ScheduleRecipe.self, text, file: name, userInfo: userInfo)
            recipe.replacedFiles = files.replacements(inSchedule: number)
            for index in recipe.pipeline.nodes.indices {
                replace(&recipe.pipeline.nodes[index], files, number)
            }
            for index in recipe.created.keys {
                if var node = recipe.created[index] {
                    replace(&node, files, number)
                    recipe.created[index] = node
                }
            }
            guard recipe.isConsistent else {
                throw BoxError("\(name) is not valid: its parts do not fit together")
            }
            recipes[number] = recipe
        }
    }

    /// Replaces a node by a stand-in if its files are not there.
    private mutating func replace(
        _ node: inout Pipeline.Node, _ files: BoxFiles, _ schedule: UInt64
    ) {
        for path in node.filePaths {
            guard let state = files.missing(path, inSchedule: schedule) else { continue }
            missing.insert(Replay.Unrepeatable(node: node.id, cause: .file(path, state)))
            node.isStandIn = true
        }
    }
}
