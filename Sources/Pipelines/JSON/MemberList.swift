/// Collects the members of one object and tells keys that come twice.
struct MemberList {
    private(set) var members: [JSONMember] = []
    private var seen: Set<String> = []

    /// Adds a member; of those with the same key the first holds.
    mutating func add(_ member: JSONMember, _ faults: FaultList) {
        guard seen.insert(member.key).inserted else {
            faults.report(
                .duplicateKey, at: member.start, key: member.key,
                "the key \(Quoted(member.key)) is here already")
            return
        }
        members.append(member)
    }
}
