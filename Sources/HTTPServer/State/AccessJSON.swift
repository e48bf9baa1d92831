internal import Pipelines

/// The part `access`: the rights of the client that receives it.
enum AccessJSON {
    /// The name of the part.
    static let name = "access"

    /// Returns the part.
    ///
    /// - Parameters:
    ///   - permit: The rights.
    ///   - device: The paired device; `nil` for a program on this machine.
    ///   - scope: The current song.
    /// - Returns: The object.
    static func object(
        _ permit: Permit, of device: RemoteDevice?, in scope: SongScope
    ) -> JSONValue {
        let mixers = permit.limit.map { scope.mixers(of: $0).sorted() }
        return [
            "role": .string(permit.role.rawValue), "limit": .optional(permit.limit),
            "mixers": mixers.map { .array($0.map { .string($0) }) } ?? .null,
            "device": .optional(device?.id), "name": .optional(device?.name),
        ]
    }
}
