/// Checks the swap space and the free memory.
enum SwapCheck: MachineCheck {
    static let id = "swap"
    static let title = "swap and free memory"
    static let why = "Memory that was moved to a disk comes back after many periods."

    /// The number from which the kernel rarely uses swap space.
    private static let lowSwappiness = 10
    private static let littleKibibytes = 256 << 10

    static func findings(on machine: Machine) -> [Finding] {
        guard let memory = machine.text("/proc/meminfo") else {
            return [finding(.unknown, "The system does not state its memory.")]
        }
        var found: [Finding] = []
        let available = value("MemAvailable", in: memory)
        if let available, available < littleKibibytes {
            found.append(
                finding(
                    .bad, "Only \(Amount.text(bytes: available * 1024)) of memory are free.",
                    fix: Finding.Fix(
                        "ps -e -o rss,comm --sort -rss | head", note: "End large programs.")))
        }
        return found + [swap(on: machine, memory)]
    }

    private static func swap(on machine: Machine, _ memory: String) -> Finding {
        // Compressed memory needs no disk.
        let spaces = machine.lines("/proc/swaps").dropFirst().filter {
            !$0.hasPrefix("/dev/zram")
        }
        guard machine.text("/proc/swaps") != nil else {
            return finding(.unknown, "The system does not state its swap space.")
        }
        if spaces.isEmpty { return finding(.good, "There is no swap space on a disk.") }
        guard let swappiness = machine.number("/proc/sys/vm/swappiness") else {
            return finding(.unknown, "There is swap space; the system does not state its use.")
        }
        let total = value("SwapTotal", in: memory) ?? 0
        let used = max(0, total - (value("SwapFree", in: memory) ?? total))
        let text =
            "There is swap space, of which \(Amount.text(bytes: used * 1024)) are used; "
            + "swappiness is \(swappiness)."
        if swappiness <= lowSwappiness { return finding(.good, text) }
        return finding(
            .notice, text,
            fix: Finding.Fix(
                "sudo sysctl vm.swappiness=\(lowSwappiness)",
                note: "The setting ends with a restart."))
    }

    /// Returns a value of `/proc/meminfo`, in KiB.
    private static func value(_ key: String, in text: String) -> Int? {
        let line = text.split(separator: "\n").first { $0.hasPrefix(key + ":") }
        let number = line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        return number.flatMap { 0...(Int.max >> 10) ~= $0 ? $0 : nil }
    }
}

/// Checks the disk on which takes are recorded.
enum TakesDiskCheck: MachineCheck {
    static let id = "takes-disk"
    static let title = "disk of the takes"
    static let why = "A recorder loses sound when the disk pauses for too long, or is full."

    private static let networkSystems = ["nfs", "nfs4", "cifs", "smb3", "fuse.sshfs", "9p", "afs"]
    /// The bytes of an hour of stereo with 24 bits at 48 kHz.
    private static let hourBytes = 48_000 * 2 * 3 * 3600

    static func findings(on machine: Machine) -> [Finding] {
        let folder = machine.takes
        switch machine.access(toFolder: folder) {
        case .missing:
            return [
                finding(
                    .bad, "There is no folder \(folder).",
                    fix: Finding.Fix("mkdir -p \(ShellWord.text(folder))"))
            ]
        case .notFolder: return [finding(.bad, "\(folder) is not a folder.", fix: another)]
        case .refused, .granted, nil: break
        }
        guard let mount = Mount.all(on: machine).filter({ $0.contains(folder) }).last else {
            return [finding(.unknown, "The system does not state the disk of \(folder).")]
        }
        // The kind of a disk that cannot be written states it already.
        let isRefused = !mount.isReadOnly && machine.access(toFolder: folder) == .refused
        let refusal =
            isRefused
            ? [finding(.bad, "This user cannot write into \(folder).", fix: another)] : []
        return refusal + [kind(mount, folder, machine)]
            + [space(folder, machine)].compactMap(\.self)
    }

    /// The remedy for a folder that cannot be used.
    private static let another = Finding.Fix(
        "stompline run FILE --takes FOLDER",
        note: "This user must be able to write into the folder.")

    private static func kind(_ mount: Mount, _ folder: String, _ machine: Machine) -> Finding {
        let elsewhere = Finding.Fix(
            "stompline run FILE --takes FOLDER", note: "The folder must be on a solid-state disk.")
        let place = "Takes in \(folder) go to"
        switch mount.system {
        case _ where mount.isReadOnly:
            return finding(.bad, "\(place) a disk that cannot be written.", fix: elsewhere)
        case _ where networkSystems.contains(mount.system):
            return finding(.bad, "\(place) another machine (\(mount.system)).", fix: elsewhere)
        case "tmpfs", "ramfs":
            return finding(
                .notice, "\(place) memory (\(mount.system)), and end with a restart.",
                fix: elsewhere)
        case "vfat", "msdos":
            return finding(
                .notice, "\(place) a disk with \(mount.system), whose files end at 4 GiB.",
                fix: elsewhere)
        default: break
        }
        let device = mount.device.split(separator: "/").last.map(String.init) ?? ""
        if device.hasPrefix("mmcblk") {
            return finding(
                .notice, "\(place) a memory card, which can pause for seconds.", fix: elsewhere)
        }
        let path = machine.resolved("/sys/class/block/\(device)") ?? "/sys/class/block/-"
        // A virtual disk states that it rotates, whatever is behind it. A partition has no queue.
        let isVirtual = device.hasPrefix("vd") || device.hasPrefix("xvd")
        let isRotating =
            isVirtual
            ? nil
            : machine.number("\(path)/queue/rotational")
                ?? machine.number("\(path)/../queue/rotational")
        switch isRotating {
        case 0: return finding(.good, "\(place) a solid-state disk (\(mount.system)).")
        case 1:
            return finding(
                .notice, "\(place) a rotating disk (\(mount.system)), which vibration can stop.",
                fix: elsewhere)
        default:
            return finding(
                .unknown, "\(place) \(mount.device) (\(mount.system)), whose kind is not stated.")
        }
    }

    private static func space(_ folder: String, _ machine: Machine) -> Finding? {
        guard let free = machine.freeBytes(folder) else { return nil }
        let hours = free / hourBytes
        let text =
            "\(Amount.text(bytes: free)) are free: \(hours) hours of stereo with 24 bits at 48 kHz."
        return hours >= 10
            ? finding(.good, text)
            : finding(
                hours < 1 ? .bad : .notice, text,
                fix: Finding.Fix(
                    "stompline run FILE --takes FOLDER",
                    note: "The folder must be on another disk. Or remove files."))
    }
}

/// A mounted file system, as in `/proc/self/mounts`.
struct Mount: Equatable {
    let device: String
    /// The folder at which it is mounted.
    let folder: String
    /// The type, such as `ext4`.
    let system: String
    let isReadOnly: Bool

    /// Returns the mounted file systems, those with the longest folders last.
    static func all(on machine: Machine) -> [Mount] {
        let mounts = machine.lines("/proc/self/mounts").compactMap { Mount(line: $0) }
        // Of two mounts at one folder, the later one hides the other one.
        return mounts.enumerated()
            .sorted { ($0.element.folder.count, $0.offset) < ($1.element.folder.count, $1.offset) }
            .map(\.element)
    }

    /// Reads a line: device, folder, type, options, and two numbers; `nil` if it has another form.
    init?(line: Substring) {
        let fields = line.split(separator: " ").map(Self.unescaped)
        guard fields.count >= 4, let options = fields.dropFirst(3).first else { return nil }
        (device, folder, system) = (fields[0], fields[1], fields[2])  // checked: four fields
        isReadOnly = options.split(separator: ",").contains("ro")
    }

    /// Returns whether a path is below the folder.
    func contains(_ path: String) -> Bool {
        folder == "/" || path == folder || path.hasPrefix(folder + "/")
    }

    /// Returns a field in which the kernel writes spaces as `\040`.
    private static func unescaped(_ field: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(field.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(3)
            guard byte == 0x5c, digits.count == 3,
                let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)  // checked: nil
            else {
                bytes.append(byte)
                continue
            }
            bytes.append(code)
            rest = rest.dropFirst(3)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
