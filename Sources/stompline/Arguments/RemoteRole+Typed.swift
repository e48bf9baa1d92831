internal import ArgumentParser
internal import HTTPServer

extension RemoteRole {
    /// Creates the role that a person has typed.
    ///
    /// - Throws: `ValidationError` for another word.
    init(typed text: String) throws {
        guard let role = RemoteRole(rawValue: text) else {
            throw ValidationError("'\(text)' must be \(RemoteRole.names)")
        }
        self = role
    }
}

extension Permit {
    /// Checks that a limit and the role go together.
    ///
    /// - Parameters:
    ///   - option: The name of the option for the limit.
    ///   - limit: The limit that a person has typed; `nil` without one.
    /// - Throws: `ValidationError`.
    func check(_ option: String, _ limit: String?) throws {
        guard let limit else { return }
        if limit.isEmpty { throw ValidationError("\(option) must name a mixer or an output") }
        if role != .play {
            throw ValidationError("\(option) is only possible with the role play")
        }
    }
}
