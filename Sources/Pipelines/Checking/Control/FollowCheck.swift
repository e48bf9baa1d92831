/// Checks the session that a file follows.
struct FollowCheck {
    let context: CheckContext

    /// Returns the followed session; `nil` if the file names none, or a text of another form.
    func followed() -> FollowedSession? {
        let fields = context.fields(of: context.document.root)
        guard case .present(let text, let element) = fields.text("follow") else { return nil }
        if let followed = FollowedSession(text) { return followed }
        context.errors.report(
            .range, at: element.start,
            "\"follow\" must be \(FollowedSession.form), not \(Quoted(text))",
            suggestion: FollowedSession("osc://" + text)?.description)
        return nil
    }
}
