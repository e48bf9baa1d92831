internal import Platform
internal import Processing

/// Checks the keys of scenes that make them cues: numbers, texts, and the scenes that follow.
struct CueCheck {
    let context: CheckContext
    let addresses: AddressCheck
    /// The scenes of the file, in order.
    let members: [JSONMember]

    /// The shortest time of a loop of scenes that follow one another, in seconds.
    private static let shortestLoopSeconds = 0.01

    /// Returns the scenes with their cues.
    ///
    /// - Parameter scenes: The scenes in the order of `members`.
    /// - Returns: The same scenes, each with the cue of its member.
    func addCues(to scenes: [Pipeline.Scene]) -> [Pipeline.Scene] {
        var scenes = scenes
        for (index, member) in members.enumerated() { scenes[index].cue = cue(of: member.value) }
        checkLoops(of: &scenes)
        return scenes
    }

    private func cue(of scene: JSONElement) -> Pipeline.Cue {
        let fields = context.fields(of: scene)
        let number = fields.raw("number").value.map {
            $0.string ?? context.document.text(of: $0)
        }
        return Pipeline.Cue(
            number: number, text: fields.text("text").value, follow: follow(of: fields))
    }

    // MARK: Follows

    private func follow(of scene: Fields) -> Pipeline.Follow? {
        guard case .present(let element, _) = scene.raw("then"), !context.errors.isFull,
            case .object = element.content
        else { return nil }
        let fields = context.fields(of: element)
        let start = start(of: fields)
        guard case .present(let name, let nameElement) = fields.text("scene"),
            let index = SceneNames(context: context, names: members.map(\.key))
                .index(of: name, at: nameElement),
            let start, !context.errors.hasError(within: element)
        else { return nil }
        return Pipeline.Follow(scene: index, start: start)
    }

    private func start(of fields: Fields) -> Pipeline.Follow.Start? {
        switch (fields.element["after"], fields.element["at"]) {
        case (nil, nil):
            context.errors.report(
                .missingKey, at: fields.element.start,
                "\"then\" needs \"after\", a time in seconds, or \"at\", the end of a player")
            return nil
        case (.some, .some(let at)):
            context.errors.report(
                .reference, at: at.start,
                "\"then\" has both \"after\" and \"at\"; a scene follows after a time or at the end of a player"
            )
            return nil
        case (.some, nil): return fields.number("after").value.map { .after(seconds: $0) }
        case (nil, .some):
            guard case .present(let text, let element) = fields.text("at") else { return nil }
            return player(endingIn: text, at: element.start).map { .endOfNode($0) }
        }
    }

    /// Returns the index of the player that a text such as `end of rain` names; `nil` if it names
    /// none, which is reported.
    private func player(endingIn text: String, at offset: Int) -> Int? {
        let words = PipelineKeys.endWords
        guard text.hasPrefix(words) else {
            context.errors.report(
                .range, at: offset,
                "\"at\" must be \"end of\" and the id of a player, not \(Quoted(text))",
                suggestion: context.errors.suggestion(for: text, among: players).map { words + $0 })
            return nil
        }
        let id = String(text.dropFirst(words.count))
        guard case .node(let index)? = addresses.nameTable[id] else {
            guard addresses.nameTable.isComplete else { return nil }
            context.errors.report(
                .reference, at: offset, "there is no player \(Quoted(id))",
                suggestion: context.errors.suggestion(for: id, among: players).map { words + $0 })
            return nil
        }
        // An unknown type has been reported.
        guard let description = addresses.parameters[index]?.type.description else { return nil }
        guard description.hasEnd else {
            context.errors.report(
                .reference, at: offset, "\(Quoted(id)) has no end, because it is not a player",
                suggestion: context.errors.suggestion(for: id, among: players).map { words + $0 })
            return nil
        }
        return index
    }

    /// The ids of all nodes that have an end.
    private var players: [String] {
        addresses.nodes.indices.filter {
            addresses.parameters[$0]?.type.description.hasEnd ?? false
        }.map { addresses.nodes[$0].id }
    }

    // MARK: Loops

    /// Reports scenes that follow one another in a loop without taking time, and removes the follow
    /// of the first one.
    private func checkLoops(of scenes: inout [Pipeline.Scene]) {
        // The scene from which each scene was reached first.
        var origins = [Int?](repeating: nil, count: scenes.count)
        for start in scenes.indices where origins[start] == nil {
            var path: [Int] = []
            var next: Int? = start
            while let scene = next, origins[scene] == nil {
                origins[scene] = start
                path.append(scene)
                next = scenes[scene].cue.follow?.scene
            }
            // Otherwise the path ends, or joins an earlier one.
            guard let entry = next, let first = path.firstIndex(of: entry) else { continue }
            let loop = Array(path[first...])
            guard let seconds = seconds(of: loop.map { scenes[$0] }),
                seconds < Self.shortestLoopSeconds
            else { continue }
            report(loop: loop.map { scenes[$0].name }, seconds: seconds, at: entry)
            scenes[entry].cue.follow = nil
        }
    }

    /// Returns the time that scenes take, in seconds; `nil` if one of them lasts until the end of a
    /// player.
    private func seconds(of scenes: [Pipeline.Scene]) -> Double? {
        var sum = 0.0
        for scene in scenes {
            guard case .after(let seconds)? = scene.cue.follow?.start else { return nil }
            sum += seconds
        }
        return sum
    }

    private func report(loop names: [String], seconds: Double, at scene: Int) {
        let way = (names + names.prefix(1)).map { Quoted($0).description }
            .joined(separator: " → ")
        context.errors.report(
            .cycle, at: (members[scene].value["then"] ?? members[scene].value).start,
            "the scenes follow one another in a loop of \(seconds.plain) s: \(way); a loop must take at least \(Self.shortestLoopSeconds.plain) s"
        )
    }
}
