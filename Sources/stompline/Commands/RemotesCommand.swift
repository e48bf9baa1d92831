internal import ArgumentParser
internal import Glibc
internal import HTTPServer
internal import Pipelines

/// `stompline remotes`: lists, pairs, changes and revokes the devices that use the page.
struct RemotesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remotes",
        abstract: "List, pair or revoke the phones and computers that use the page.",
        discussion: """
            Examples:
              stompline remotes                       the paired devices
              stompline remotes --pair                a code for a phone; it can play
              stompline remotes --pair --role look    it only sees the session
              stompline remotes --pair --limit ears   it changes only the mix of the
                                                      mixer or the output "ears"
              stompline remotes --change Phone --role edit
              stompline remotes --revoke Phone        its connections end at once
              stompline remotes --revoke-all

            A device is named by its name or by the id that the list shows. Each change
            also applies to the sessions that run. The roles are look, play and edit; see
            docs/http.md.
            """)

    @Flag(help: "Show a code that pairs one device, within five minutes.")
    var pair = false

    @Option(help: ArgumentHelp("Change the role or the limit of a device.", valueName: "device"))
    var change: String?

    @Option(help: ArgumentHelp("Revoke a device; can be repeated.", valueName: "device"))
    var revoke: [String] = []

    @Flag(help: "Revoke all devices.")
    var revokeAll = false

    @Option(
        help: ArgumentHelp(
            "With --pair and --change: look, play or edit (default: play).", valueName: "role"),
        completion: .list(RemoteRole.allCases.map(\.rawValue)),
        transform: RemoteRole.init(typed:))
    var role: RemoteRole?

    @Option(
        help: ArgumentHelp(
            "With --pair and --change: only the mix of this mixer or output.", valueName: "name"))
    var limit: String?

    @Flag(help: "Print JSON: an array of the devices, or the object of the code.")
    var json = false

    func validate() throws {
        let tasks = [pair, change != nil, !revoke.isEmpty, revokeAll].count { $0 }
        if tasks > 1 {
            throw ValidationError("--pair, --change, --revoke and --revoke-all exclude each other")
        }
        if !pair, change == nil, role != nil || limit != nil {
            throw ValidationError("--role and --limit need --pair or --change")
        }
        if change != nil, role == nil, limit == nil {
            throw ValidationError("--change needs --role or --limit")
        }
        try permit.check("--limit", limit)
    }

    func run() throws {
        guard let file = RemotesFile() else {
            throw Failure(
                "neither XDG_STATE_HOME nor HOME names a folder for the paired devices",
                .unavailable)
        }
        do {
            if pair { return try invite(file) }
            if revokeAll { return try revokeEach(file, of: file.read().devices) }
            if !revoke.isEmpty {
                let remotes = try file.read()
                return try revokeEach(file, of: revoke.map { try Self.device($0, in: remotes) })
            }
            if let change { try setPermit(file, of: Self.device(change, in: file.read())) }
            try list(file.read().devices)
        } catch let error as RemotesFileError {
            throw Failure("\(error)", .unreadableFile)
        }
    }

    private var permit: Permit { Permit(role: role ?? .play, limit: limit) }

    // MARK: Tasks

    private func invite(_ file: RemotesFile) throws {
        guard let invitation = try file.invite(permit, isRunning: Self.isRunning) else {
            throw Failure(
                "no session runs that other machines can reach; start one with 'stompline run FILE --http 0.0.0.0:8080'",
                .unavailable)
        }
        guard !json else { return try Console.put(.object(invitation.members)) }
        try Console.put(line: invitation.text)
        if Console.canShowPictures {
            try Console.put(invitation.picture.joined(separator: "\n"))
        }
    }

    private func revokeEach(_ file: RemotesFile, of devices: [RemoteDevice]) throws {
        let ids = Set(devices.map(\.id))
        try file.change { $0.devices.removeAll { ids.contains($0.id) } }
        guard !json else { return try list(file.read().devices) }
        for device in devices { try Console.put(line: "revoked \(device.name)") }
    }

    private func setPermit(_ file: RemotesFile, of device: RemoteDevice) throws {
        let new = Permit(role: role ?? device.permit.role, limit: limit)
        try new.check("--limit", limit)
        try file.change { remotes in remotes.change(device.id) { $0.permit = new } }
    }

    private func list(_ devices: [RemoteDevice]) throws {
        guard !json else { return try Console.put(.array(devices.map(\.json))) }
        guard !devices.isEmpty else { return Console.notify("no device is paired") }
        var table = TextTable([.left, .left, .left, .left, .left])
        for device in devices {
            table.add([
                device.id, device.permit.role.rawValue, device.permit.limit ?? "",
                "seen \(Self.date(device.seenSeconds))", device.name,
            ])
        }
        try Console.put(table.text)
    }

    // MARK: Facts

    /// Returns the device with an id or a name.
    private static func device(_ name: String, in remotes: Remotes) throws -> RemoteDevice {
        let found =
            remotes.devices.filter { $0.id == name }.first.map { [$0] }
            ?? remotes.devices.filter { $0.name == name }
        switch found.count {
        case 1: return found[0]
        case 0: throw Failure.usage("no paired device has the id or the name '\(name)'")
        default:
            let ids = found.map(\.id).joined(separator: ", ")
            throw Failure.usage("several devices have the name '\(name)'; use an id: \(ids)")
        }
    }

    private static func isRunning(_ process: Int) -> Bool {
        kill(pid_t(clamping: process), 0) == 0 || errno == EPERM
    }

    /// Returns a local date and time, such as `2026-11-24 21:03`.
    private static func date(_ seconds: Int) -> String {
        var time = time_t(seconds)
        var parts = tm()
        localtime_r(&time, &parts)
        let text = { (number: Int32) in number < 10 ? "0\(number)" : "\(number)" }
        let day = "\(1900 + Int(parts.tm_year))-\(text(parts.tm_mon + 1))-\(text(parts.tm_mday))"
        return "\(day) \(text(parts.tm_hour)):\(text(parts.tm_min))"
    }
}

extension RemoteDevice {
    fileprivate var json: JSONValue {
        [
            "id": .string(id), "name": .string(name), "role": .string(permit.role.rawValue),
            "limit": .optional(permit.limit), "paired": .integer(pairedSeconds),
            "seen": .integer(seenSeconds),
        ]
    }
}
