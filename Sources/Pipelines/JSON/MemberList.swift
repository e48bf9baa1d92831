/// Collects the members of an object, and reports duplicate keys.
struct MemberList {
    private(set) var members: [JSONMember] = []
    /// The keys of an object with many members.
    private var seen: Set<String> = []

    /// The number of members that are searched one by one, which is faster for most objects.
    private static let fewMembers = 8

    /// Adds a member; the first of several members with the same key is kept.
    mutating func add(_ member: JSONMember, _ errors: ErrorList) {
        guard isNew(member.key) else {
            errors.report(
                .duplicateKey, at: member.start, key: member.key,
                "the object already has the key \(Quoted(member.key))")
            return
        }
        members.append(member)
    }

    /// Returns whether a key did not occur before.
    private mutating func isNew(_ key: String) -> Bool {
        guard members.count >= Self.fewMembers else {
            return !members.contains { $0.key == key }
        }
        if seen.isEmpty { seen = Set(members.map(\.key)) }
        return seen.insert(key).inserted
    }
}
