internal import Processing

/// Creates a setlist from a document, and reports all errors of the setlist and its songs.
final class SetlistCheck {
    private let context: CheckContext
    private let file: String
    /// The files that were read before; `nil` to check all.
    private let known: CheckedFiles?
    /// The pipelines by path, because several songs can use the same pipeline.
    private var pipelines: [String: Pipeline] = [:]
    private var readPaths: Set<String> = []
    /// The problems of the pipelines by path, in a tolerant check.
    private var problems: [String: [Problem]] = [:]
    /// The indices of the songs that cannot play, in a tolerant check: their pipelines cannot be
    /// read, or clash with those of earlier songs.
    private var refusedSongs: Set<Int> = []
    /// The outer level; `nil` if the setlist has none.
    private var outer: OuterSignals?
    private var songDiagnostics: [Diagnostic] = []
    private var songsLackOnlyPlugins = true
    private var root: JSONElement { context.document.root }

    init(context: CheckContext, file: String, known: CheckedFiles? = nil) {
        self.context = context
        self.file = file
        self.known = known
    }

    /// Returns the setlist, which is usable only if no error was reported.
    func check() -> Setlist? {
        context.structure.check(root, is: .object(PipelineKeys.setlist), name: "a setlist")
        guard case .object = root.content else { return nil }
        let fields = context.fields(of: root)
        let elements = fields.list("songs").value ?? []
        defer { known?.forget(except: readPaths) }
        let found =
            context.isTolerant
            ? elements.enumerated().map { ($0.element, playableSong($0.offset, $0.element)) }
            : elements.compactMap { element in song(element).map { (element, $0) } }
        var songs = found.map(\.1)
        refuseClashes(in: &songs, elements: found.map(\.0))
        let bridges = BridgeCheck(context: context).bridges()
        refuseBridges(in: &songs, elements: found.map(\.0), besides: bridges)
        let isComplete =
            !elements.isEmpty && songs.count == elements.count
            && songs.allSatisfy(\.problems.isEmpty)
        outer = OuterCheck(
            context: context,
            songs: songs.indices.filter { !refusedSongs.contains($0) }.map { songs[$0] }
                .filter(\.isPlayable),
            isComplete: songs.count == elements.count && refusedSongs.isEmpty
        ).check()
        for (index, (element, song)) in found.enumerated()
        where song.isPlayable && !refusedSongs.contains(index) {
            if let outer { songs[index].pipeline = outer.around(song.pipeline) }
            songs[index].messages = messages(of: element, songs[index].pipeline)
        }
        let bindings = SetlistBindings(context: context, isComplete: isComplete, outer: outer)
        let common = bindings.resolve(in: &songs)
        return Setlist(
            name: fields.text("setlist").value ?? "",
            summary: fields.text("description").value ?? "", songs: songs, bindings: common,
            keepsValues: fields.text("keep").value != PipelineKeys.keepsNothing,
            bridges: bridges,
            followed: FollowCheck(context: context).followed())
    }

    /// Returns the setlist if there are no errors; otherwise throws them, the setlist's first.
    func result(of setlist: Setlist?, in text: FileText) throws(InvalidPipeline) -> Setlist {
        guard let setlist, text.errors.isEmpty, songDiagnostics.isEmpty else {
            let own = text.errors.diagnostics(of: text.document, file: file)
            let ownIsFine = own.isEmpty || text.errors.hasOnlyMissingPlugins
            throw InvalidPipeline(
                diagnostics: own + songDiagnostics,
                lacksOnlyPlugins: ownIsFine && songsLackOnlyPlugins)
        }
        return setlist
    }

    // MARK: Tolerance

    /// Returns the setlist with the problems of its songs.
    ///
    /// - Throws: `InvalidPipeline` with all errors if no song can play, or the setlist itself has
    ///   errors outside of its songs and bindings.
    func playableFile(of setlist: Setlist?, in text: FileText) throws(InvalidPipeline)
        -> PlayableFile
    {
        let located = text.errors.locatedErrors(of: text.document, file: file)
        guard var setlist, outer?.hasSignalFlow ?? true else {
            throw refusal(located.map(\.diagnostic), setlist)
        }
        let elements = root["songs"]?.elements ?? []
        var common: [Problem] = []
        for (error, diagnostic) in located {
            if error.code == .limit || error.code == .syntax {
                throw refusal(located.map(\.diagnostic), setlist)
            }
            if let index = elements.firstIndex(where: { $0.contains(error.offset) }),
                setlist.songs.indices.contains(index)
            {
                let consequence: Problem.Consequence =
                    refusedSongs.contains(index) ? .skipped : .ignored
                setlist.songs[index].problems.append(
                    Problem(
                        song: setlist.songs[index].name, diagnostic: diagnostic,
                        consequence: consequence))
            } else if let (consequence, node) = outerConsequence(of: error) {
                common.append(
                    Problem(node: node, diagnostic: diagnostic, consequence: consequence))
            } else if root["midi"]?.contains(error.offset) == true {
                common.append(Problem(diagnostic: diagnostic, consequence: .ignored))
            } else {
                throw refusal(located.map(\.diagnostic), setlist)
            }
        }
        for index in refusedSongs.sorted() where setlist.songs[index].isPlayable {
            setlist.songs[index].problems.append(repeatedProblem(of: index, in: setlist))
        }
        guard setlist.songs.contains(where: \.isPlayable) else {
            throw refusal(located.map(\.diagnostic), setlist)
        }
        return PlayableFile(.setlist(setlist), problems: common)
    }

    /// Returns the consequence of an error in a node of the outer level, and the id of the node;
    /// `nil` for other errors, and if the outer level cannot play with the error.
    private func outerConsequence(
        of error: PipelineError
    ) -> (Problem.Consequence, node: String)? {
        let elements = ["before", "after"].flatMap { root[$0]?.elements ?? [] }
        guard let outer, outer.nodes.count == elements.count,
            let index = elements.firstIndex(where: { $0.contains(error.offset) })
        else { return nil }
        return ErrorTolerance.consequence(of: error, in: outer.nodes[index], elements[index])
            .map { ($0, outer.nodes[index].id) }
    }

    /// Returns the problem of a song whose file an earlier song names too, so that its error is
    /// reported only there.
    private func repeatedProblem(of index: Int, in setlist: Setlist) -> Problem {
        let song = setlist.songs[index]
        let known = setlist.songs.first { $0.path == song.path && !$0.isPlayable }
        let diagnostic =
            known?.problems.first?.diagnostic
            ?? Diagnostic(
                file: file, line: 1, column: 1, pointer: "/songs/\(index)", code: .file,
                message: "the pipeline of the song cannot be read")
        return Problem(song: song.name, diagnostic: diagnostic, consequence: .skipped)
    }

    /// Returns the error for a setlist that cannot play: the errors in its own text, then those of
    /// its songs.
    private func refusal(_ own: [Diagnostic], _ setlist: Setlist?) -> InvalidPipeline {
        var all = own
        for problem in setlist?.songs.flatMap(\.problems) ?? []
        where !all.contains(problem.diagnostic) {
            all.append(problem.diagnostic)
        }
        let lacksOnlyPlugins = !all.isEmpty && all.allSatisfy { $0.code == .plugin }
        return InvalidPipeline(diagnostics: all, lacksOnlyPlugins: lacksOnlyPlugins)
    }

    /// Returns a song with its problems; without a pipeline if that cannot play.
    private func playableSong(_ index: Int, _ element: JSONElement) -> Setlist.Song {
        if var song = song(element) {
            song.problems = problems[song.path] ?? []
            for problem in song.problems.indices { song.problems[problem].song = song.name }
            return song
        }
        let fields = context.fields(of: element)
        // Also the path of a file that cannot be read.
        let path = element["pipeline"]?.string
            .map { FilePath.resolve($0, relativeToFile: file) }
        let name =
            fields.text("name").value ?? path.map(FilePath.name) ?? "song \(index + 1)"
        var song = Setlist.Song(
            name: name, path: path ?? "", pipeline: .empty(named: name), scene: nil, bindings: [])
        song.problems = (path.flatMap { problems[$0] } ?? []).map {
            Problem(song: name, node: $0.node, diagnostic: $0.diagnostic, consequence: .skipped)
        }
        refusedSongs.insert(index)
        return song
    }

    // MARK: Songs

    /// Reports songs that have an input or output of another kind than an earlier song, and in a
    /// tolerant check takes their pipelines away: all songs share the ports.
    private func refuseClashes(in songs: inout [Setlist.Song], elements: [JSONElement]) {
        var kinds = SharedKinds()
        for index in songs.indices where songs[index].isPlayable {
            let song = songs[index]
            guard let clash = kinds.add(song) else { continue }
            context.errors.report(
                .reference, at: (elements[index]["pipeline"] ?? elements[index]).start,
                clash)
            guard context.isTolerant else { continue }
            refusedSongs.insert(index)
            songs[index].pipeline = .empty(named: song.name)
        }
    }

    /// Reports bridges of songs that cannot run next to those of the setlist or of an earlier song,
    /// and removes them, so that in a tolerant check the songs play without them.
    private func refuseBridges(
        in songs: inout [Setlist.Song], elements: [JSONElement], besides bridges: [Bridge]
    ) {
        var shared = SharedBridges(context: context)
        // Clashes within the setlist's own text are reported already.
        _ = shared.add(bridges, ofFile: file)
        for index in songs.indices where !songs[index].pipeline.bridges.isEmpty {
            let clashes = shared.add(songs[index].pipeline.bridges, ofFile: songs[index].path)
            for clash in clashes {
                context.errors.report(
                    clash.code, at: (elements[index]["pipeline"] ?? elements[index]).start,
                    shared.message(of: clash))
            }
            songs[index].pipeline.bridges.removeAll { bridge in
                clashes.contains { $0.bridge.bridge == bridge }
            }
        }
    }

    private func song(_ element: JSONElement) -> Setlist.Song? {
        guard case .object = element.content else { return nil }
        let fields = context.fields(of: element)
        guard case .present(let path, let pathElement) = fields.text("pipeline"),
            let pipeline = pipeline(path, at: pathElement)
        else { return nil }
        return Setlist.Song(
            name: fields.text("name").value ?? pipeline.name,
            path: FilePath.resolve(path, relativeToFile: file), pipeline: pipeline,
            scene: scene(of: fields, in: pipeline), bindings: [],
            gainDecibels: fields.number("gain").value ?? 0, tempo: fields.number("tempo").value,
            notes: fields.text("notes").value ?? "", color: fields.text("color").value)
    }

    /// Returns the messages that the setlist sends when a song starts.
    private func messages(
        of element: JSONElement, _ pipeline: Pipeline
    ) -> [Pipeline.Message] {
        MessageCheck(
            context: context,
            outputs: pipeline.outputs.map { .init(name: $0.name, kind: $0.kind) }
        ).messages(of: element)
    }

    private func scene(of fields: Fields, in pipeline: Pipeline) -> Int? {
        guard case .present(let name, let element) = fields.text("scene") else { return nil }
        return SceneNames(context: context, names: pipeline.scenes.map(\.name))
            .index(of: name, at: element)
    }

    /// Returns the pipeline of a song; reports its errors once, even if several songs use it.
    private func pipeline(_ path: String, at element: JSONElement) -> Pipeline? {
        let resolvedPath = FilePath.resolve(path, relativeToFile: file)
        if let known = pipelines[resolvedPath] { return known }
        let contents: FileContents
        do throws(UnreadableFile) {
            contents = try context.draft.contents(of: resolvedPath)
        } catch {
            context.errors.report(
                .file, at: element.start,
                "the song \(Quoted(path)) cannot be read: \(error.reason)")
            return nil
        }
        guard readPaths.insert(resolvedPath).inserted else { return nil }
        if mayQuote(path),
            let pipeline = known?.pipeline(
                of: contents.bytes, file: resolvedPath, sampleRate: context.sampleRate)
        {
            pipelines[resolvedPath] = pipeline
            return pipeline
        }
        let text = FileText(contents.bytes, file: resolvedPath)
        guard mayQuote(path, text) else {
            context.errors.report(
                .file, at: element.start,
                "the song \(Quoted(path)) is outside the setlist's folder and not a pipeline; check it separately"
            )
            return nil
        }
        guard !text.isSetlist else {
            context.errors.report(
                .file, at: element.start,
                "the song \(Quoted(path)) is a setlist; a song must be a pipeline")
            return nil
        }
        let pipeline = check(text)
        known?.note(
            problems[resolvedPath, default: []].isEmpty ? pipeline : nil, of: contents.bytes,
            file: resolvedPath, sampleRate: context.sampleRate)
        pipelines[resolvedPath] = pipeline
        return pipeline
    }

    /// Returns whether diagnostics may quote the content of a file.
    ///
    /// A setlist from an untrusted author can name any file on this machine. The text of such a
    /// file must not appear in messages.
    private func mayQuote(_ path: String, _ text: FileText) -> Bool {
        if mayQuote(path) { return true }
        let root = text.document.root
        return text.document.isWhole && root["version"] != nil
            && ["inputs", "outputs", "nodes", "scenes", "tempo"].contains { root[$0] != nil }
    }

    /// Returns whether diagnostics may quote the content of any file at a path.
    private func mayQuote(_ path: String) -> Bool {
        context.types.permissions.outsideFolder
            || FilePath.isInside(path, folder: FilePath.folder(of: file))
    }

    private func check(_ text: FileText) -> Pipeline? {
        if context.isTolerant { return checkTolerantly(text) }
        do throws(InvalidPipeline) {
            return try text.result(
                of: text.pipeline(context.types, sampleRate: context.sampleRate))
        } catch {
            songDiagnostics += error.diagnostics
            songsLackOnlyPlugins = songsLackOnlyPlugins && error.lacksOnlyPlugins
            return nil
        }
    }

    private func checkTolerantly(_ text: FileText) -> Pipeline? {
        guard
            let (pipeline, found) = text.playablePipeline(
                context.types, sampleRate: context.sampleRate)
        else {
            let strict = text.strictRefusal(context.types, sampleRate: context.sampleRate)
            problems[text.file] = strict.diagnostics.map {
                Problem(diagnostic: $0, consequence: .skipped)
            }
            return nil
        }
        problems[text.file] = found
        return pipeline
    }
}
