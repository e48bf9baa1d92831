/// A sound card.
struct Card {
    /// The number, from 0.
    let number: Int
    /// The name, such as `Scarlett 2i2 USB`.
    let name: String
    /// The folder of its device in `/sys/devices`; `nil` if it has none.
    let device: String?

    /// Returns the sound cards of a machine.
    static func all(on machine: Machine) -> [Card] {
        machine.lines("/proc/asound/cards").compactMap { line in
            // Such as ` 1 [USB            ]: USB-Audio - Scarlett 2i2 USB`.
            let parts = line.split(separator: "]: ", maxSplits: 1)
            let words = parts.first?.split { " [".contains($0) } ?? []
            guard parts.count == 2, let number = words.first.flatMap({ Int($0) }), number >= 0,
                let text = parts.last
            else { return nil }
            let name = text.split(separator: " - ", maxSplits: 1).last ?? text
            return Card(
                number: number, name: String(name),
                device: machine.resolved("/sys/class/sound/card\(number)/device"))
        }
    }

    /// The USB device in which the card is; `nil` if it is another card.
    var usbDevice: USBDevice? { device.flatMap { USBDevice(containing: $0) } }

    /// The folder of the PCI device that interrupts for the card: the card, or its USB controller.
    var interruptingDevice: String? { usbDevice?.controller ?? device }
}

/// A device on a USB.
struct USBDevice: Equatable {
    /// The folder in `/sys/devices`, which ends with a name such as `1-2.3`.
    let folder: String
    /// The folder of the controller.
    let controller: String
    /// The name of the bus, such as `usb1`.
    let bus: String

    /// Finds the device that a folder belongs to; `nil` if it belongs to none.
    init?(containing path: String) {
        let parts = path.split(separator: "/")
        guard
            let index = parts.firstIndex(where: {
                $0.hasPrefix("usb") && $0.dropFirst(3).first?.isNumber == true
            })
        else { return nil }
        let ports = parts[index...].dropFirst().prefix { $0.contains("-") && !$0.contains(":") }
        guard !ports.isEmpty else { return nil }
        bus = String(parts[index])
        controller = "/" + parts[..<index].joined(separator: "/")
        folder = controller + "/\(bus)/" + ports.joined(separator: "/")
    }

    /// Returns all devices of a machine.
    static func all(on machine: Machine) -> [USBDevice] {
        machine.names(in: "/sys/bus/usb/devices").filter { !$0.contains(":") }.compactMap {
            machine.resolved("/sys/bus/usb/devices/\($0)").flatMap { USBDevice(containing: $0) }
        }
    }
}

/// A stream of a sound card that is running.
struct CardStream {
    /// The number of the card.
    let card: Int
    /// The frames of a period.
    let periodFrames: Int
    /// The frames of the whole buffer.
    let bufferFrames: Int
    /// The rate, in Hz.
    let rate: Int

    /// The duration of a period, in seconds.
    var period: Double { Double(periodFrames) / Double(rate) }

    /// Returns the streams that are open.
    static func running(on machine: Machine) -> [CardStream] {
        machine.numbered("card", in: "/proc/asound").flatMap { card in
            machine.numbered("pcm", in: card).flatMap { device in
                machine.numbered("sub", in: device).compactMap {
                    let number = Int(card.drop { !$0.isNumber }) ?? 0
                    return CardStream(card: number, lines: machine.lines($0 + "/hw_params"))
                }
            }
        }
    }

    /// Reads the lines of `hw_params`; `nil` if the stream is closed.
    init?(card: Int, lines: [Substring]) {
        func value(_ key: String) -> Int? {
            let line = lines.first { $0.hasPrefix(key + ": ") }
            let number = line?.dropFirst(key.count + 2).prefix { $0.isNumber }
            return number.flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
        }
        guard let period = value("period_size"), let buffer = value("buffer_size"),
            let rate = value("rate")
        else { return nil }
        (self.card, periodFrames, bufferFrames, self.rate) = (card, period, buffer, rate)
    }
}
