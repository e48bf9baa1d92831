/// Makes a setlist of a document, or tells all that is wrong with it and its songs.
final class SetlistCheck {
    private let context: CheckContext
    private let file: String
    /// Pipelines by path: a song may come twice.
    private var pipelines: [String: Pipeline] = [:]
    private var readPaths: Set<String> = []
    private var songDiagnostics: [Diagnostic] = []
    private var songsLackOnlyPlugins = true
    private var root: JSONElement { context.document.root }

    init(context: CheckContext, file: String) {
        self.context = context
        self.file = file
    }

    /// The setlist, which means something only where no fault was told.
    func check() -> Setlist? {
        context.structure.check(root, is: .object(PipelineKeys.setlist), name: "a setlist")
        guard case .object = root.content else { return nil }
        let fields = context.fields(of: root)
        let elements = fields.list("songs").value ?? []
        var songs = elements.compactMap(song)
        let isComplete = !elements.isEmpty && songs.count == elements.count
        let bindings = SetlistBindings(context: context, isComplete: isComplete)
        let common = bindings.resolve(in: &songs)
        return Setlist(
            name: fields.text("setlist").value ?? "",
            summary: fields.text("description").value ?? "", songs: songs, bindings: common)
    }

    /// The setlist, if neither it nor a song has a fault; the setlist's own come first.
    func result(of setlist: Setlist?, in text: FileText) throws(InvalidPipeline) -> Setlist {
        guard let setlist, text.faults.isEmpty, songDiagnostics.isEmpty else {
            let own = text.faults.diagnostics(of: text.document, file: file)
            let ownIsFine = own.isEmpty || text.faults.holdsOnlyMissingPlugins
            throw InvalidPipeline(
                diagnostics: own + songDiagnostics,
                lacksOnlyPlugins: ownIsFine && songsLackOnlyPlugins)
        }
        return setlist
    }

    // MARK: Songs

    private func song(_ element: JSONElement) -> Setlist.Song? {
        guard case .object = element.content else { return nil }
        let fields = context.fields(of: element)
        guard case .present(let path, let place) = fields.text("pipeline"),
            let pipeline = pipeline(path, at: place)
        else { return nil }
        return Setlist.Song(
            name: fields.text("name").value ?? pipeline.name,
            path: FilePath.resolve(path, besideFile: file), pipeline: pipeline,
            scene: scene(of: fields, in: pipeline), bindings: [])
    }

    private func scene(of fields: Fields, in pipeline: Pipeline) -> Int? {
        guard case .present(let name, let element) = fields.text("scene") else { return nil }
        return SceneNames(context: context, names: pipeline.scenes.map(\.name))
            .index(of: name, at: element)
    }

    /// The pipeline of a song; its own faults are told once, however often the song comes.
    private func pipeline(_ path: String, at element: JSONElement) -> Pipeline? {
        let place = FilePath.resolve(path, besideFile: file)
        if let known = pipelines[place] { return known }
        let contents: FileContents
        do throws(UnreadableFile) {
            contents = try FileContents(path: place)
        } catch {
            context.faults.report(
                .file, at: element.start, "the song \(Quoted(path)) can't be read: \(error.reason)")
            return nil
        }
        guard readPaths.insert(place).inserted else { return nil }
        pipelines[place] = check(FileText(contents.bytes, file: place))
        return pipelines[place]
    }

    private func check(_ text: FileText) -> Pipeline? {
        do throws(InvalidPipeline) {
            return try text.result(
                of: text.pipeline(context.types, sampleRate: context.sampleRate))
        } catch {
            songDiagnostics += error.diagnostics
            songsLackOnlyPlugins = songsLackOnlyPlugins && error.lacksOnlyPlugins
            return nil
        }
    }
}
