internal import Processing

/// Creates a setlist from a document, and reports all errors of the setlist and its songs.
final class SetlistCheck {
    private let context: CheckContext
    private let file: String
    /// The pipelines by path, because several songs can use the same pipeline.
    private var pipelines: [String: Pipeline] = [:]
    private var readPaths: Set<String> = []
    private var songDiagnostics: [Diagnostic] = []
    private var songsLackOnlyPlugins = true
    private var root: JSONElement { context.document.root }

    init(context: CheckContext, file: String) {
        self.context = context
        self.file = file
    }

    /// Returns the setlist, which is usable only if no error was reported.
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
            summary: fields.text("description").value ?? "", songs: songs, bindings: common,
            keepsValues: fields.text("keep").value != PipelineKeys.keepsNothing)
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

    // MARK: Songs

    private func song(_ element: JSONElement) -> Setlist.Song? {
        guard case .object = element.content else { return nil }
        let fields = context.fields(of: element)
        guard case .present(let path, let pathElement) = fields.text("pipeline"),
            let pipeline = pipeline(path, at: pathElement)
        else { return nil }
        return Setlist.Song(
            name: fields.text("name").value ?? pipeline.name,
            path: FilePath.resolve(path, relativeToFile: file), pipeline: pipeline,
            scene: scene(of: fields, in: pipeline), bindings: [])
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
            contents = try FileContents(path: resolvedPath)
        } catch {
            context.errors.report(
                .file, at: element.start,
                "the song \(Quoted(path)) cannot be read: \(error.reason)")
            return nil
        }
        guard readPaths.insert(resolvedPath).inserted else { return nil }
        let text = FileText(contents.bytes, file: resolvedPath)
        guard mayQuote(path, text) else {
            context.errors.report(
                .file, at: element.start,
                "the song \(Quoted(path)) is outside the setlist's folder and not a pipeline; check it separately"
            )
            return nil
        }
        pipelines[resolvedPath] = check(text)
        return pipelines[resolvedPath]
    }

    /// Returns whether diagnostics may quote the content of a file.
    ///
    /// A setlist from an untrusted author can name any file on this machine. The text of such a
    /// file must not appear in messages.
    private func mayQuote(_ path: String, _ text: FileText) -> Bool {
        if context.types.permissions.outsideFolder { return true }
        if FilePath.isInside(path, folder: FilePath.folder(of: file)) { return true }
        let root = text.document.root
        return text.document.isWhole && root["version"] != nil
            && ["inputs", "outputs", "nodes", "scenes", "tempo"].contains { root[$0] != nil }
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
