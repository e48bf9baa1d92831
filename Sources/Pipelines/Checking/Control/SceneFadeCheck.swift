/// Checks the times and the curve of a scene's changes.
struct SceneFadeCheck {
    let context: CheckContext
    let addresses: AddressCheck

    /// Returns the fades of a scene, given by its element in the file and its changes.
    func fades(in element: JSONElement, of scene: Pipeline.Scene) -> SceneFades {
        let fields = context.fields(of: element)
        var fades = SceneFades()
        if let curve = fields.text("curve").value.flatMap(FadeCurve.init(rawValue:)) {
            fades.curve = curve
        }
        guard case .present(let over, _) = fields.raw("over") else { return fades }
        if let seconds = over.number { fades.seconds = seconds }
        let changed = Dictionary(
            element.members.filter { PipelineKeys.scene[$0.key] == nil }
                .map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        for member in over.members where !context.errors.isInvalid(member.value) {
            guard let seconds = member.value.number else { continue }
            if member.key == PipelineKeys.otherFades {
                fades.seconds = seconds
            } else if let address = address(of: member, changed, inScene: scene.name) {
                fades.ownSeconds[address] = seconds
            }
        }
        return fades
    }

    /// Returns the address of a time; `nil` if it is not valid or the scene does not change it,
    /// which is reported.
    private func address(
        of member: JSONMember, _ changed: [String: JSONMember], inScene name: String
    ) -> Pipeline.Address? {
        guard !context.errors.isFull else { return nil }
        if let change = changed[member.key] {
            // An address that is not valid has been reported where the scene changes it.
            guard !context.errors.isInvalid(keyOf: change) else { return nil }
            return addresses.target(member.key, at: member.start)?.address
        }
        context.errors.report(
            .reference, at: member.start,
            "the scene \(Quoted(name)) does not change \(Quoted(member.key)), so it has no time",
            suggestion: context.errors.suggestion(
                for: member.key, among: changed.keys.sorted() + [PipelineKeys.otherFades]))
        return nil
    }
}
