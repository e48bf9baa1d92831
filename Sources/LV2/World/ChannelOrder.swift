/// The order of ports within a group of channels, by their designations from LV2's port groups.
enum ChannelOrder {
    /// Returns the position of a channel in the usual order.
    ///
    /// The order is left, right, centre, low frequencies, then the others.
    ///
    /// - Parameter designation: The port's designation in its group.
    /// - Returns: The position; `nil` if the designation is not a channel.
    static func rank(of designation: String?) -> Int? {
        designation.flatMap { Namespace.portGroups.term(of: $0) }.flatMap(channels.firstIndex)
    }

    private static let channels = [
        "left", "right", "center", "lowFrequencyEffects", "rearLeft", "rearRight", "sideLeft",
        "sideRight", "centerLeft", "centerRight", "rearCenter", "side",
    ]
}

extension [PortShape] {
    /// Returns the indices of the ports that have a role.
    ///
    /// They are in the order of the description, except in groups whose ports are all different
    /// channels. Those are in the order of channels.
    func indices(of role: PortShape.Role) -> [Int] {
        var ordered = indices.filter { self[$0].role == role }
        let groups = Dictionary(grouping: ordered.indices) { self[ordered[$0]].group }
        for members in groups.values {
            let ranked = members.compactMap { index in
                self[ordered[index]].channelRank.map { (rank: $0, port: ordered[index]) }
            }
            // A group of several signals, each with its own left and right, keeps its order.
            guard Set(ranked.map(\.rank)).count == members.count else { continue }
            let sorted = ranked.sorted { ($0.rank, $0.port) < ($1.rank, $1.port) }
            for (index, member) in zip(members, sorted) { ordered[index] = member.port }
        }
        return ordered
    }
}
