internal import Engine
internal import Pipelines
internal import Processing

/// Prepares a schedule in which a stand-in replaces each node that cannot be prepared.
///
/// It loads plugins and reads files, so it is not for the session's thread once the session plays.
enum TolerantPreparation {
    /// Prepares a pipeline.
    ///
    /// - Parameters:
    ///   - song: The song, for its name and its file.
    ///   - isSetlist: Whether the song belongs to a setlist.
    ///   - pipeline: The pipeline of the song, perhaps with other values.
    ///   - active: The schedule that the new one replaces; `nil` for a new song.
    ///   - mayReplace: Whether a stand-in may replace a node, given by its id.
    ///   - prepare: Prepares the pipeline that it receives.
    /// - Returns: The schedule; its problems name the nodes with stand-ins.
    /// - Throws: `PreparationError` if the memory is too small, or the error is in no node.
    static func schedule(
        of song: Song, isSetlist: Bool, _ pipeline: Pipeline, after active: Schedule? = nil,
        mayReplace: (String) -> Bool = { _ in true },
        _ prepare: (Pipeline) throws(PreparationError) -> Schedule
    ) throws(PreparationError) -> Schedule {
        let (schedule, problems) = try prepared(
            of: song, isSetlist: isSetlist, pipeline, after: active, mayReplace: mayReplace,
            prepare)
        schedule.problems = problems
        return schedule
    }

    /// Prepares the nodes of a song that begins within the outer level of the active schedule.
    ///
    /// - Parameters:
    ///   - song: The song, for its name and its file.
    ///   - pipeline: The pipeline of the song, perhaps with other values.
    ///   - mayReplace: Whether a stand-in may replace a node, given by its id.
    ///   - prepare: Prepares the pipeline that it receives.
    /// - Returns: The nodes; their problems name those with stand-ins.
    /// - Throws: `PreparationError` if the memory is too small, or the error is in no node.
    static func nodes(
        of song: Song, _ pipeline: Pipeline, mayReplace: (String) -> Bool,
        _ prepare: (Pipeline) throws(PreparationError) -> PreparedSong
    ) throws(PreparationError) -> PreparedSong {
        let (nodes, problems) = try prepared(
            of: song, isSetlist: true, pipeline, after: nil, mayReplace: mayReplace, prepare)
        nodes.problems = problems
        return nodes
    }

    /// Prepares a pipeline, and returns the product with the problems of its stand-ins.
    private static func prepared<Product>(
        of song: Song, isSetlist: Bool, _ pipeline: Pipeline, after active: Schedule?,
        mayReplace: (String) -> Bool,
        _ prepare: (Pipeline) throws(PreparationError) -> Product
    ) throws(PreparationError) -> (Product, [Problem]) {
        var pipeline = pipeline
        var problems: [Problem] = []
        while true {
            do throws(PreparationError) {
                let product = try prepare(pipeline)
                let found = Set(problems.compactMap(\.node))
                let standIns = Set(pipeline.nodes.filter(\.isStandIn).map(\.id))
                let remaining = (active?.problems ?? []).filter { known in
                    guard let node = known.node else { return false }
                    return standIns.contains(node) && !found.contains(node)
                }
                return (product, problems + remaining)
            } catch {
                guard !error.lacksMemory,
                    let index = pipeline.nodes.firstIndex(where: {
                        $0.id == error.node && !$0.isStandIn
                    }), mayReplace(error.node)
                else { throw error }
                pipeline.nodes[index] = pipeline.nodes[index].asStandIn
                let hasInput = pipeline.nodes[index].instances.joined().contains { $0 != nil }
                problems.append(
                    Problem(
                        song: isSetlist && !pipeline.isOuter(node: index) ? song.name : nil,
                        node: error.node,
                        diagnostic: Diagnostic(
                            ofPluginAt: index, in: pipeline, inFile: song.path, error.message),
                        consequence: hasInput ? .dry : .silent))
            }
        }
    }
}

extension Schedule {
    /// Returns the problems of the nodes that scenes need and that could not be prepared.
    ///
    /// - Parameters:
    ///   - song: The song, for its name and its file.
    ///   - isSetlist: Whether the song belongs to a setlist.
    /// - Returns: The problems, each once.
    func variantProblems(of song: Song, isSetlist: Bool) -> [Problem] {
        variants.failures.reduce(into: []) { problems, failure in
            guard let index = pipeline.nodes.firstIndex(where: { $0.id == failure.node }) else {
                return
            }
            let problem = Problem(
                song: isSetlist ? song.name : nil, node: failure.node,
                diagnostic: Diagnostic(
                    ofPluginAt: index, in: pipeline, inFile: song.path,
                    "a scene cannot change the settings of \(failure.error.message)"),
                consequence: .ignored)
            // Several combinations of settings may fail for the same reason.
            if !problems.contains(problem) { problems.append(problem) }
        }
    }
}

extension Pipeline {
    /// Returns the pipeline with stand-ins for the nodes that have one in another version of it.
    func adoptingStandIns(of other: Pipeline) -> Pipeline {
        var result = self
        for (index, node) in other.nodes.enumerated()
        where node.isStandIn && result.nodes.indices.contains(index)
            && result.nodes[index].id == node.id
        {
            result.nodes[index] = result.nodes[index].asStandIn
        }
        return result
    }
}
