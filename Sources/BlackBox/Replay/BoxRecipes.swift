internal import Engine
public import Pipelines
internal import Processing

/// The schedules of a box, with the paths of this machine.
struct BoxRecipes {
    /// The recipes by number.
    let recipes: [UInt64: ScheduleRecipe]

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
        let files = box.facts.files.mapValues { "\(folder)/\($0)" }
        var recipes: [UInt64: ScheduleRecipe] = [:]
        for (number, text) in box.schedules {
            let decoded: ScheduleRecipe
            do {
                var recipe = try BoxCoding.decode(ScheduleRecipe.self, text, userInfo: userInfo)
                recipe.pipeline = recipe.pipeline.usingFiles(files)
                recipe.created = recipe.created.mapValues { $0.usingFiles(files) }
                decoded = recipe
            } catch {
                throw BoxError("schedule-\(number).json is not valid: \(error)")
            }
            guard decoded.isConsistent else {
                throw BoxError(
                    "schedule-\(number).json is not valid: its parts do not fit together")
            }
            recipes[number] = decoded
        }
        self.recipes = recipes
    }
}

extension Pipeline {
    /// Returns the pipeline with other paths of the files that its nodes read.
    fileprivate func usingFiles(_ files: [String: String]) -> Pipeline {
        var result = self
        for index in nodes.indices { result.nodes[index] = nodes[index].usingFiles(files) }
        return result
    }

    /// The paths of the files that the nodes read, at load and in scenes.
    public var playedFiles: [String] {
        nodes.flatMap { $0.paths(in: $0.settings) }
            + scenes.flatMap(\.settings).flatMap { setting in
                setting.value.map { nodes[setting.node].paths(in: [setting.name: $0]) } ?? []
            }
    }
}

extension Pipeline.Node {
    fileprivate func usingFiles(_ files: [String: String]) -> Pipeline.Node {
        var result = self
        for setting in description.settings {
            switch (setting.kind, settings[setting.name]) {
            case (.path, .text(let path)?):
                result.settings[setting.name] = .text(files[path] ?? path)
            case (.playlist, .playlist(let items)?):
                result.settings[setting.name] = .playlist(
                    items.map { PlaylistItem(path: files[$0.path] ?? $0.path, gain: $0.gain) })
            default: break
            }
        }
        return result
    }

    fileprivate func paths(in settings: [String: SettingValue]) -> [String] {
        description.settings.flatMap { setting in
            switch (setting.kind, settings[setting.name]) {
            case (.path, .text(let path)?): [path]
            case (.playlist, .playlist(let items)?): items.map(\.path)
            default: [String]()
            }
        }
    }
}
