/// The rights of one remote: its role, and the mixer to which it may be limited.
public struct Permit: Sendable, Equatable {
    /// The role.
    public var role: RemoteRole
    /// The name of the mixer, or of the output behind it, whose values the remote may change; `nil`
    /// without a limit.
    ///
    /// Only the role `play` has one.
    public var limit: String?

    /// The permit of programs on this machine.
    static let whole = Permit(role: .edit)

    /// Creates a permit; the limit is ignored for other roles than `play`.
    public init(role: RemoteRole, limit: String? = nil) {
        self.role = role
        self.limit = role == .play ? limit : nil
    }

    /// Whether the answer to a deed depends on the song.
    func dependsOnSong(_ deed: Deed) -> Bool {
        switch deed {
        case .set: limit != nil
        case .key: role == .play && limit == nil
        case .open, .pair, .look, .own, .act, .connect, .edit: false
        }
    }

    /// Returns the reason why a deed is refused, a sentence without its full stop; `nil` if it is
    /// allowed.
    func refusal(of deed: Deed, in scope: SongScope) -> String? {
        switch deed {
        case .open, .pair, .look, .own: nil
        case .set(let address): playRefusal ?? limitRefusal(of: address, in: scope)
        case .act: playRefusal ?? limitRefusal
        case .key(let name): playRefusal ?? limitRefusal ?? keyRefusal(name, in: scope)
        case .connect: connectRefusal
        case .edit: editRefusal
        }
    }

    private var playRefusal: String? {
        role >= .play ? nil : "this device may only look; its role is \"look\""
    }

    private var connectRefusal: String? {
        role >= .edit
            ? nil : "this device may not connect ports; its role is \"\(role.rawValue)\""
    }

    private var editRefusal: String? {
        role >= .edit ? nil : "this device may not edit files; its role is \"\(role.rawValue)\""
    }

    private var limitRefusal: String? {
        limit.map { "this device may only change the mix \"\($0)\"" }
    }

    private func limitRefusal(of address: String, in scope: SongScope) -> String? {
        guard let limit else { return nil }
        let mixers = scope.mixers(of: limit)
        // The id of a node has no dot.
        let isOwn = mixers.contains { address.hasPrefix($0 + ".") }
        return isOwn ? nil : limitRefusal
    }

    private func keyRefusal(_ name: String, in scope: SongScope) -> String? {
        scope.editingKeys.contains(name) ? editRefusal : nil
    }
}
