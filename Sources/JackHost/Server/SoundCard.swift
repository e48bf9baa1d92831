internal import Glibc

/// A device of a sound card, as listed by Linux.
package struct SoundCard: Sendable, Equatable {
    /// The card's number, from 0.
    package var card: Int
    /// The device's number on the card, from 0.
    package var device: Int
    package var hasPlayback: Bool
    package var hasCapture: Bool

    package init(card: Int, device: Int, hasPlayback: Bool, hasCapture: Bool) {
        self.card = card
        self.device = device
        self.hasPlayback = hasPlayback
        self.hasCapture = hasCapture
    }

    /// Returns the devices in the text of `/proc/asound/pcm`.
    ///
    /// A line has the form `00-00: ID : NAME : playback 1 : capture 1`.
    package static func list(_ text: String) -> [SoundCard] {
        text.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: ":").map { $0.drop { $0 == " " } }
            let numbers = fields.first?.split(separator: "-").compactMap { Int($0) }
            guard let numbers, numbers.count == 2 else { return nil }
            return SoundCard(
                card: numbers[0], device: numbers[1],
                hasPlayback: fields.contains { $0.hasPrefix("playback") },
                hasCapture: fields.contains { $0.hasPrefix("capture") })
        }
    }

    /// Returns the devices that no other program uses, first those that both play and record.
    static func free() -> [SoundCard] {
        let all = list(textOfFile("/proc/asound/pcm") ?? "").filter(\.isFree)
        return all.filter(\.isDuplex) + all.filter { !$0.isDuplex }
    }

    private var isDuplex: Bool { hasPlayback && hasCapture }

    private var isFree: Bool {
        (!hasPlayback || canOpen(direction: "p")) && (!hasCapture || canOpen(direction: "c"))
            && (hasPlayback || hasCapture)
    }

    private func canOpen(direction: String) -> Bool {
        let file = open(
            "/dev/snd/pcmC\(card)D\(device)\(direction)", O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return false }
        close(file)
        return true
    }
}

/// Returns the text of a small file; `nil` if it cannot be read.
func textOfFile(_ path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 4096)
    while case let count = read(file, &part, part.count), count > 0 { bytes += part[..<count] }
    return String(decoding: bytes, as: UTF8.self)
}
