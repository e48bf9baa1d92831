internal import Processing

/// Resolves the bindings of a setlist in each of its songs.
struct SetlistBindings {
    let context: CheckContext
    /// Whether all songs are known.
    let isComplete: Bool

    /// Adds to each song the bindings that apply in it; returns those that apply in every song.
    ///
    /// Reports a binding whose address or scene exists in no song.
    func resolve(in songs: inout [Setlist.Song]) -> [Pipeline.Binding] {
        var common: [Pipeline.Binding] = []
        let elements = context.fields(of: context.document.root).list("midi").value ?? []
        for element in elements {
            if element["to"] == nil, element["scene"] == nil {
                let check = check(in: nil, reporting: true, songs: songs.map(\.name))
                common += [check.binding(element)].compactMap { $0 }
                continue
            }
            let matches = songs.indices.filter { hasTarget(element, in: songs[$0].pipeline) }
            for index in matches {
                let check = check(in: songs[index].pipeline, reporting: true)
                songs[index].bindings += [check.binding(element)].compactMap { $0 }
            }
            if matches.isEmpty { reportWithoutTarget(element, in: songs) }
        }
        return common
    }

    /// Returns whether the address or the scene of a binding exists in a pipeline.
    private func hasTarget(_ element: JSONElement, in pipeline: Pipeline) -> Bool {
        if let address = element["to"]?.string {
            if case .success = pipeline.address(address) { return true }
        }
        return element["scene"]?.string.map { name in
            pipeline.scenes.contains { $0.name == name }
        } ?? false
    }

    /// Reports the errors of a binding, and that its target exists in no song or is read-only.
    private func reportWithoutTarget(_ element: JSONElement, in songs: [Setlist.Song]) {
        if let target = element["to"], let address = target.string,
            songs.contains(where: { $0.pipeline.report(at: address) != nil })
        {
            return context.errors.report(
                .reference, at: target.start,
                "\(Quoted(address)) is read-only: the node reports it")
        }
        _ = check(in: nil, reporting: isComplete).binding(element)
    }

    private func check(
        in pipeline: Pipeline?, reporting: Bool, songs: [String] = []
    ) -> BindingCheck {
        BindingCheck(
            context: context, port: port,
            target: { text, element in
                guard let pipeline else {
                    if reporting { report("address", text, element) }
                    return nil
                }
                return target(text, in: pipeline)
            },
            scene: { text, element in
                let index = pipeline?.scenes.firstIndex { $0.name == text }
                if index == nil, reporting { report("scene", text, element) }
                return index
            }, song: { song($0, $1, among: songs) })
    }

    private func song(_ name: String, _ element: JSONElement, among songs: [String]) -> Int? {
        if let index = songs.firstIndex(of: name) { return index }
        guard isComplete else { return nil }
        context.errors.report(
            .reference, at: element.start, "there is no song \(Quoted(name))",
            suggestion: context.errors.suggestion(for: name, among: songs))
        return nil
    }

    private func target(_ text: String, in pipeline: Pipeline) -> AddressCheck.Target? {
        guard case .success(let address) = pipeline.address(text) else { return nil }
        let isPlugin = if case .plugin = pipeline.nodes[address.node].type { true } else { false }
        return AddressCheck.Target(
            address: address, parameter: pipeline.parameter(at: address), isPlugin: isPlugin)
    }

    private func report(_ kind: String, _ text: String, _ element: JSONElement) {
        context.errors.report(
            .reference, at: element.start, "no song has the \(kind) \(Quoted(text))")
    }

    /// Checks the name of a MIDI input; a setlist has only one.
    private func port(_ name: String, _ element: JSONElement) -> Int? {
        guard name != "control" else { return nil }
        context.errors.report(
            .reference, at: element.start,
            "there is no MIDI input \(Quoted(name)); a setlist has only \"control\"",
            suggestion: "control")
        return nil
    }
}
