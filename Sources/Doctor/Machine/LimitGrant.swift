/// A group whose members may exceed a default limit, as the files of `pam_limits` state it.
struct LimitGrant: Equatable {
    /// The name of the group.
    let group: String
    /// The value, such as `95` or `unlimited`.
    let value: String
    /// The path of the file with the rule.
    let file: String

    /// Returns the rules for groups about an item, in the order of the files.
    ///
    /// - Parameters:
    ///   - item: The item, such as `rtprio`.
    ///   - machine: The machine.
    /// - Returns: The rules; a user can have several of them.
    static func all(of item: String, on machine: Machine) -> [LimitGrant] {
        let folder = "/etc/security/limits.d"
        let names = machine.names(in: folder).filter { $0.hasSuffix(".conf") }
        let files = ["/etc/security/limits.conf"] + names.map { "\(folder)/\($0)" }
        return files.flatMap { file in
            machine.lines(file).compactMap { LimitGrant(line: $0, item: item, file: file) }
        }
    }

    /// Reads a line such as `@audio - rtprio 95`; `nil` if it is another rule or a comment.
    private init?(line: Substring, item: String, file: String) {
        let rule = line.prefix { $0 != "#" }.split { " \t".contains($0) }
        guard rule.count == 4, let domain = rule.first, domain.hasPrefix("@"), domain.count > 1,
            ["-", "soft"].contains(rule.dropFirst().first), rule.dropFirst(2).first == item[...],
            let value = rule.last, value != "0"
        else { return nil }
        (group, self.value, self.file) = (String(domain.dropFirst()), String(value), file)
    }
}

/// The groups and users of a machine.
struct Accounts {
    private let groups: [[Substring]]
    private let users: [[Substring]]

    init(of machine: Machine) {
        func entries(_ path: String) -> [[Substring]] {
            machine.lines(path).map { $0.split(separator: ":", omittingEmptySubsequences: false) }
                .filter { $0.count >= 4 }
        }
        groups = entries("/etc/group")
        users = entries("/etc/passwd")
    }

    /// Returns the number of a group; `nil` if there is no such group.
    func number(ofGroup name: String) -> Int? {
        groups.first { $0.first == name[...] }?.dropFirst(2).first.flatMap { Int($0) }
    }

    /// Returns whether a user is listed as a member of a group.
    func isMember(user: Int?, of name: String) -> Bool {
        let entry = users.first { $0.dropFirst(2).first.flatMap { Int($0) } == user }
        guard user != nil, let account = entry?.first else { return false }
        let members = groups.first { $0.first == name[...] }?.dropFirst(3).first
        return members?.split(separator: ",").contains(account) == true
    }
}

/// The way in which this user can get a higher limit.
struct LimitRemedy {
    /// Groups that distributions provide for sound.
    private static let usualGroups = ["audio", "realtime", "pipewire"]

    /// Which group grants the limit, as a sentence.
    let explanation: String
    let fix: Finding.Fix

    /// Finds the way.
    ///
    /// - Parameters:
    ///   - item: The item of `pam_limits`.
    ///   - value: The value to set if no group has one.
    ///   - machine: The machine.
    init(item: String, value: String, on machine: Machine) {
        let rights = ProcessRights(of: machine)
        let accounts = Accounts(of: machine)
        let join = "Then log out and in again."
        let grants = LimitGrant.all(of: item, on: machine)
            .filter { accounts.number(ofGroup: $0.group) != nil }
        let own = grants.first { rights.groups.contains(accounts.number(ofGroup: $0.group) ?? -1) }
        let listed = grants.first { accounts.isMember(user: rights.user, of: $0.group) }
        if let grant = own {
            explanation =
                "The group \(grant.group) grants it (\(grant.file)), and this user is in it, but "
                + "this session does not have it."
            fix = Finding.Fix(
                note: "Log out and in again; a service needs its own setting in its unit.")
        } else if let grant = listed {
            explanation =
                "The group \(grant.group) grants it (\(grant.file)) from the next login on."
            fix = Finding.Fix(note: "Log out and in again.")
        } else if let grant = grants.first {
            explanation =
                "The group \(grant.group) grants it (\(grant.file)), and this user is not in it."
            fix = Finding.Fix("sudo usermod -aG \(grant.group) \"$USER\"", note: join)
        } else {
            let known = Self.usualGroups.first { accounts.number(ofGroup: $0) != nil }
            let group = known ?? Self.usualGroups[0]
            explanation = "No group grants it."
            let file = "/etc/security/limits.d/\(group).conf"
            let commands = [
                "echo '@\(group) - \(item) \(value)' |", "  sudo tee -a \(file)",
                "sudo usermod -aG \(group) \"$USER\"",
            ]
            fix = Finding.Fix(
                commands: (known == nil ? ["sudo groupadd -r \(group)"] : []) + commands,
                note: join)
        }
    }
}
