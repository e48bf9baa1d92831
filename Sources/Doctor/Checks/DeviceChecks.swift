/// The interrupts of the sound cards.
struct CardInterrupts {
    let interrupts: [Interrupt]

    init(of machine: Machine) {
        let numbers = Set(
            Card.all(on: machine).compactMap(\.interruptingDevice).flatMap { device in
                machine.names(in: device + "/msi_irqs").compactMap { Int($0) }
                    + [machine.number(device + "/irq")].compactMap(\.self)
            })
        interrupts = Interrupt.all(on: machine).filter { numbers.contains($0.number) }
    }
}

/// Checks whether a sound card shares its interrupt with another device.
enum CardInterruptCheck: MachineCheck {
    static let id = "card-interrupt"
    static let title = "interrupt of the sound card"
    static let why = "The drivers of all devices on one interrupt run one after the other."

    static func findings(on machine: Machine) -> [Finding] {
        if Card.all(on: machine).isEmpty { return [finding(.unknown, "No sound card was found.")] }
        let interrupts = CardInterrupts(of: machine).interrupts
        let shared = interrupts.filter { $0.drivers.count > 1 }
        if interrupts.isEmpty {
            return [finding(.unknown, "The kernel does not state the card's interrupt.")]
        }
        if shared.isEmpty { return [finding(.good, "No sound card shares its interrupt.")] }
        return shared.map { interrupt in
            let list = interrupt.drivers.joined(separator: ", ")
            return finding(
                .notice, "Interrupt \(interrupt.number) is shared: \(list).",
                fix: Finding.Fix(
                    "grep '^ *\(interrupt.number):' /proc/interrupts", "lsusb -t",
                    note: "They show the devices. Use another USB port or slot, or disable one."))
        }
    }
}

/// Checks the devices on the USB of a sound card, and whether the card may be suspended.
enum USBCheck: MachineCheck {
    static let id = "usb"
    static let title = "USB"
    static let why = "Devices on one bus share its time, and a suspended card starts late."

    static func findings(on machine: Machine) -> [Finding] {
        let all = USBDevice.all(on: machine)
        return Card.all(on: machine).flatMap { card in
            card.usbDevice.map { findings(for: card, $0, among: all, machine) } ?? []
        }
    }

    private static func findings(
        for card: Card, _ device: USBDevice, among all: [USBDevice], _ machine: Machine
    ) -> [Finding] {
        let others = all.filter { $0.bus == device.bus && $0 != device && !isHub($0, machine) }
        let names = others.map { machine.text($0.folder + "/product") ?? "a device without a name" }
        var found = [
            names.isEmpty
                ? finding(.good, "\(card.name) has its bus to itself.")
                : finding(
                    .notice,
                    "\(card.name) shares its bus with \(names.joined(separator: ", ")).",
                    fix: Finding.Fix(
                        "lsusb -t", note: "It shows the buses. Use a port of another one."))
        ]
        if machine.text(device.folder + "/power/control") == "auto" {
            let port = device.folder.split(separator: "/").last ?? ""
            found.append(
                finding(
                    .notice, "\(card.name) may be suspended to save power.",
                    fix: Finding.Fix(
                        "echo on | sudo tee /sys/bus/usb/devices/\(port)/power/control",
                        note: "The setting ends when the card is unplugged.")))
        }
        return found
    }

    private static func isHub(_ device: USBDevice, _ machine: Machine) -> Bool {
        machine.text(device.folder + "/bDeviceClass") == "09"
    }
}

/// Checks Bluetooth, Wi-Fi and the power saving of Wi-Fi.
enum RadioCheck: MachineCheck {
    static let id = "radio"
    static let title = "Bluetooth and Wi-Fi"
    static let why = "Radios interrupt the processor and often share the USB of the sound card."

    static func findings(on machine: Machine) -> [Finding] {
        let switches = machine.numbered("rfkill", in: "/sys/class/rfkill")
        let active = switches.filter {
            machine.number("\($0)/soft") == 0 && machine.number("\($0)/hard") == 0
        }
        let kinds = Set(active.compactMap { machine.text("\($0)/type") })
        let wireless = machine.names(in: "/sys/class/net").filter {
            machine.exists("/sys/class/net/\($0)/wireless")
                || machine.exists("/sys/class/net/\($0)/phy80211")
        }
        var found: [Finding] = []
        if kinds.contains("bluetooth") {
            found.append(
                finding(
                    .notice, "Bluetooth is on.", fix: Finding.Fix("sudo rfkill block bluetooth")))
        }
        if kinds.contains("wlan") {
            found.append(
                finding(
                    .notice, "Wi-Fi is on. Use a cable for remote control if you can.",
                    fix: Finding.Fix("sudo rfkill block wifi")))
            found += wireless.map { powerSaving(of: $0, machine) }
        }
        if !found.isEmpty { return found }
        if switches.isEmpty, !wireless.isEmpty {
            return [finding(.unknown, "The kernel does not state whether Wi-Fi is on.")]
        }
        return [finding(.good, "No radio is on.")]
    }

    /// Returns the finding about the power saving of a network interface, which makes answers to
    /// remote control late.
    private static func powerSaving(of interface: String, _ machine: Machine) -> Finding {
        let folders = ["/usr/lib", "/etc"].map { "\($0)/NetworkManager/conf.d" }
        let files =
            ["/etc/NetworkManager/NetworkManager.conf"]
            + folders.flatMap { folder in machine.names(in: folder).map { "\(folder)/\($0)" } }
        let values = files.flatMap { machine.lines($0) }.compactMap { line -> Int? in
            let parts = line.split(separator: "=").map { $0.filter { $0 != " " } }
            return parts.first == "wifi.powersave" ? parts.last.flatMap { Int($0) } : nil
        }
        switch values.last {
        case 2: return finding(.good, "NetworkManager keeps the power saving of Wi-Fi off.")
        case 3:
            return finding(
                .notice, "NetworkManager switches the power saving of Wi-Fi on.",
                fix: Finding.Fix(
                    "sudo iw dev \(interface) set power_save off",
                    note: "Remote control then answers sooner."))
        default:
            return finding(
                .unknown, "Files do not state whether \(interface) saves power.",
                fix: Finding.Fix(
                    "iw dev \(interface) get power_save",
                    "sudo iw dev \(interface) set power_save off",
                    note: "The first command shows it, the second one switches it off."))
        }
    }
}
