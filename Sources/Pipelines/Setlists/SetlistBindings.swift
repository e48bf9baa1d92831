internal import Processing

/// Resolves the bindings of a setlist in each of its songs.
struct SetlistBindings {
    let context: CheckContext
    /// Whether all songs are known.
    let isComplete: Bool
    /// The outer level; `nil` if the setlist has none.
    let outer: OuterSignals?

    /// The keys of a binding whose target belongs to a song.
    private static let songTargets = ["to", "scene", "cycle", "cue"]

    /// Adds to each song the bindings that apply in it; returns those that apply in every song.
    ///
    /// Reports a binding whose address or scene exists in no song.
    func resolve(in songs: inout [Setlist.Song]) -> [Pipeline.Binding] {
        var common: [Pipeline.Binding] = []
        let elements = context.fields(of: context.document.root).list("midi").value ?? []
        for element in elements {
            if !belongsToSong(element) {
                let names = songs.map(\.name)
                let check = check(in: nil, reporting: true, songs: names)
                let bindings = check.bindings(element)
                guard outer != nil else {
                    common += bindings
                    continue
                }
                // The index of a MIDI input may differ from song to song.
                for index in songs.indices where songs[index].isPlayable {
                    let check = self.check(
                        in: songs[index].pipeline, reporting: true, songs: names)
                    songs[index].bindings += check.bindings(element)
                }
                continue
            }
            let matches = songs.indices.filter { hasTarget(element, in: songs[$0].pipeline) }
            for index in matches {
                let check = check(in: songs[index].pipeline, reporting: true)
                songs[index].bindings += check.bindings(element)
            }
            reportMissingAddresses(of: element, in: songs)
            if matches.isEmpty { reportWithoutTarget(element, in: songs) }
        }
        return common
    }

    /// Returns whether the target of a binding belongs to a song.
    private func belongsToSong(_ element: JSONElement) -> Bool {
        let addresses = addresses(of: element)
        if !addresses.isEmpty, addresses.allSatisfy(isMaster) { return false }
        return Self.songTargets.contains { element[$0] != nil }
    }

    /// Returns whether an address belongs to the whole session.
    private func isMaster(_ address: JSONElement) -> Bool {
        address.string.flatMap(MasterValue.init) != nil
    }

    /// Returns whether the address or the scene of a binding exists in a pipeline.
    private func hasTarget(_ element: JSONElement, in pipeline: Pipeline) -> Bool {
        let addresses = addresses(of: element)
        if addresses.contains(where: isMaster) { return true }
        for address in addresses.compactMap(\.string) {
            if case .success = pipeline.address(address) { return true }
        }
        if let cue = element["cue"]?.string {
            return PlayerItemCheck(context: context, nodes: pipeline.nodes).find(cue) != nil
        }
        let names = scenes(of: element).compactMap(\.string)
        return !names.isEmpty
            && names.allSatisfy { name in pipeline.scenes.contains { $0.name == name } }
    }

    /// Returns the addresses of a binding.
    private func addresses(of element: JSONElement) -> [JSONElement] {
        guard let to = element["to"] else { return [] }
        return to.string == nil ? to.elements.compactMap { $0["address"] } : [to]
    }

    /// Returns the names of the scenes that a song must have for the binding.
    private func scenes(of element: JSONElement) -> [JSONElement] {
        (element["scene"].map { [$0] } ?? []) + (element["cycle"]?.elements ?? [])
    }

    /// Reports the addresses of a list that exist in no song.
    private func reportMissingAddresses(of element: JSONElement, in songs: [Setlist.Song]) {
        guard isComplete, element["to"]?.string == nil else { return }
        for address in addresses(of: element) where !isMaster(address) {
            guard let text = address.string, !context.errors.isInvalid(address) else { continue }
            let exists = songs.contains {
                if case .success = $0.pipeline.address(text) { true } else { false }
            }
            if !exists { report("address", text, address) }
        }
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
        _ = check(in: nil, reporting: isComplete).bindings(element)
    }

    private func check(
        in pipeline: Pipeline?, reporting: Bool, songs: [String] = []
    ) -> BindingCheck {
        BindingCheck(
            context: context, port: { port($0, $1, in: pipeline) },
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
            },
            cue: { text, element in
                guard let pipeline else {
                    if reporting { report("cue", text, element) }
                    return nil
                }
                return PlayerItemCheck(context: context, nodes: pipeline.nodes).find(text)
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

    /// Returns the index of a MIDI input of the setlist; `nil` for any input, and after an error.
    ///
    /// A setlist that declares no MIDI input has only `control`.
    private func port(_ name: String, _ element: JSONElement, in pipeline: Pipeline?) -> Int? {
        let own = outer?.inputs.filter { $0.kind == .midi }.map(\.name) ?? []
        if own.contains(name) {
            return pipeline?.inputs.firstIndex { $0.name == name && $0.kind == .midi }
        }
        guard name != "control" || !own.isEmpty else { return nil }
        let names = own.isEmpty ? ["control"] : own
        let known = Quantity.alternatives(names.map { Quoted($0).description })
        context.errors.report(
            .reference, at: element.start,
            "there is no MIDI input \(Quoted(name)); a setlist has only "
                + (own.isEmpty ? known : "its own: \(known)"),
            suggestion: own.isEmpty
                ? "control" : context.errors.suggestion(for: name, among: own))
        return nil
    }
}
