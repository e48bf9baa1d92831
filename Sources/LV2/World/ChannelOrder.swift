/// The order of ports within a group of channels, as LV2's port groups name them.
enum ChannelOrder {
    /// The place of a channel in the order that the field has them in: left, right, centre, low frequencies, then the rest.
    ///
    /// - Parameter designation: What a port says it is in its group.
    /// - Returns: Nil where it is no channel.
    static func rank(of designation: String?) -> Int? {
        designation.flatMap { Namespace.portGroups.term(of: $0) }.flatMap(channels.firstIndex)
    }

    private static let channels = [
        "left", "right", "center", "lowFrequencyEffects", "rearLeft", "rearRight", "sideLeft",
        "sideRight", "centerLeft", "centerRight", "rearCenter", "side",
    ]
}

extension [PortShape] {
    /// The indices of the ports that have a role: in the description's order, but for groups whose ports each say that they
    /// are another channel; those stand in the order of channels.
    func indices(of role: PortShape.Role) -> [Int] {
        var ordered = indices.filter { self[$0].role == role }
        let places = Dictionary(grouping: ordered.indices) { self[ordered[$0]].group }
        for members in places.values {
            let ranked = members.compactMap { place in
                self[ordered[place]].channelRank.map { (rank: $0, port: ordered[place]) }
            }
            // Several signals side by side, each with a left and a right, stand as they are.
            guard Set(ranked.map(\.rank)).count == members.count else { continue }
            let sorted = ranked.sorted { ($0.rank, $0.port) < ($1.rank, $1.port) }
            for (place, member) in zip(members, sorted) { ordered[place] = member.port }
        }
        return ordered
    }
}
