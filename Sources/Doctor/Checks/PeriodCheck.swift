/// Checks the periods of the sound cards that are playing.
enum PeriodCheck: MachineCheck {
    static let id = "period"
    static let title = "period of the sound card"
    static let why =
        "A period must suit the card: USB carries sound in packets of 1 ms or 0.125 ms."

    static func findings(on machine: Machine) -> [Finding] {
        guard machine.exists("/proc/asound") else {
            return [finding(.unknown, "The kernel has no sound cards.")]
        }
        let streams = CardStream.running(on: machine)
        if streams.isEmpty {
            return [
                finding(
                    .unknown, "No sound card is playing, so there is no period to check.",
                    fix: Finding.Fix("stompline doctor", note: "Start the audio server first."))
            ]
        }
        let cards = Card.all(on: machine)
        let server = Server(of: machine)
        return streams.map { stream in
            let card = cards.first { $0.number == stream.card }
            let limits = CardLimits(ofCard: stream.card, on: machine)
            return finding(for: stream, of: card, limits, server)
        }
    }

    /// The running server and its options.
    private struct Server {
        let isPipeWire: Bool
        /// Whether jackd was started with a command.
        let isJackd: Bool
        /// Whether jackdbus runs, whose settings `jack_control` changes.
        let isJackdbus: Bool
        /// The frames of a period that jackd was started with; `nil` if it uses its default.
        let periodFrames: Int?

        init(of machine: Machine) {
            let processes = SystemThread.processes(on: machine)
            isPipeWire = processes.contains { $0.name == "pipewire" }
            let jackd = processes.first { $0.name == "jackd" }
            isJackd = jackd != nil
            isJackdbus = processes.contains { $0.name == "jackdbus" }
            let command = jackd.flatMap { machine.text("/proc/\($0.id)/cmdline") } ?? ""
            periodFrames = Self.period(in: command.split(separator: "\0"))
        }

        /// Returns the remedy: the commands that start this server again with other periods.
        ///
        /// - Parameters:
        ///   - command: The command that starts jackd with these periods.
        ///   - note: What to change, as a sentence about jackd.
        /// - Returns: The remedy. If another program plays, the user must end it first.
        func fix(_ command: JackdCommand, note: String) -> Finding.Fix {
            if isJackd { return Finding.Fix(restartingWith: command, note: note) }
            return isJackdbus
                ? Finding.Fix(commands: command.controls, note: nil)
                : Finding.Fix(command.text, note: "\(note) First end the program that plays.")
        }

        /// Returns the number after `-p` of the driver; jackd itself has an option with this name
        /// before the driver.
        private static func period(in words: [Substring]) -> Int? {
            let driver = words.drop { !$0.hasPrefix("-d") && $0 != "--driver" }
            for (word, next) in zip(driver, driver.dropFirst() + [""]) {
                if word == "-p" || word == "--period" { return Int(next) }
                if word.hasPrefix("-p"), let frames = Int(word.dropFirst(2)) { return frames }
            }
            return nil
        }
    }

    private static func finding(
        for stream: CardStream, of card: Card?, _ limits: CardLimits, _ server: Server
    ) -> Finding {
        let name = card?.name ?? "Card \(stream.card)"
        let count = stream.bufferFrames / stream.periodFrames
        let text =
            "\(name) plays \(count) periods of \(stream.periodFrames) frames "
            + "(\(Amount.text(seconds: stream.period))) at \(stream.rate) Hz.\(limits.text)"
        // PipeWire wakes by a timer and uses a part of the buffer only.
        if server.isPipeWire { return finding(.good, text) }
        let cards = [card].compactMap(\.self)
        var command = JackdCommand(stream, of: cards)
        if let packet = limits.packet, stream.period < 2 * packet {
            let frames = (2 * packet * Double(stream.rate)).rounded(.up)
            let needed = Int(min(frames, 1e9))  // checked: small
            command.lengthenPeriod(to: Self.powerOfTwo(from: needed))
            return finding(
                stream.period < packet ? .bad : .notice,
                text + " A period needs at least two packets: \(needed) frames.",
                fix: server.fix(
                    command, note: "Start jackd with a longer period: -p after -d alsa."))
        }
        if let wanted = server.periodFrames, wanted != stream.periodFrames {
            return finding(
                .notice, text + " jackd was started with \(wanted) frames.",
                fix: server.fix(
                    command, note: "Start jackd with a period that the card accepts."))
        }
        if card?.usbDevice == nil || count >= 3 { return finding(.good, text) }
        return finding(
            .notice, text + " A USB card needs three periods.",
            fix: server.fix(command, note: "Start jackd with -n 3 after -d alsa."))
    }

    /// Returns the first power of two that is not smaller than a number.
    private static func powerOfTwo(from number: Int) -> Int {
        var power = 16
        while power < number { power *= 2 }
        return power
    }
}

/// The limits of a USB card, as the kernel lists them.
struct CardLimits {
    /// The sample rates, in Hz, from the lowest; empty if they are not stated.
    let rates: [Int]
    /// The longest time from one packet of sound to the next, in seconds; `nil` if it is not stated.
    let packet: Double?

    /// Reads the list of a card.
    init(ofCard number: Int, on machine: Machine) {
        let lines = machine.lines("/proc/asound/card\(number)/stream0")
            .map { $0.drop { $0 == " " } }
        let rates = lines.filter { $0.hasPrefix("Rates: ") }
            .flatMap { $0.dropFirst(7).split { ", ".contains($0) } }.compactMap { Int($0) }
        self.rates = Set(rates).sorted()
        // Such as `Data packet interval: 125 us`.
        let key = "Data packet interval: "
        let intervals = lines.filter { $0.hasPrefix(key) }
            .compactMap { Int($0.dropFirst(key.count).prefix { $0.isNumber }) }
        packet = intervals.filter { 1...1_000_000 ~= $0 }.max().map { Double($0) / 1e6 }
    }

    /// A sentence about the limits, with a space before it; empty if nothing is stated.
    var text: String {
        let list = rates.map(String.init).joined(separator: ", ")
        let parts =
            (rates.isEmpty ? [] : ["\(list) Hz"])
            + (packet.map { ["packets of \(Amount.text(seconds: $0))"] } ?? [])
        return parts.isEmpty ? "" : " It supports \(parts.joined(separator: ", and "))."
    }
}
