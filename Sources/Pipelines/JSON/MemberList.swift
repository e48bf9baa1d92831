/// Collects the members of an object, and reports duplicate keys.
struct MemberList {
    private(set) var members: [JSONMember] = []
    private var seen: Set<String> = []

    /// Adds a member; the first of several members with the same key is kept.
    mutating func add(_ member: JSONMember, _ errors: ErrorList) {
        guard seen.insert(member.key).inserted else {
            errors.report(
                .duplicateKey, at: member.start, key: member.key,
                "the object already has the key \(Quoted(member.key))")
            return
        }
        members.append(member)
    }
}
