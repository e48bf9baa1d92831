/// A command that starts jackd with real-time priority and a sound card.
struct JackdCommand {
    private let card: Int
    private let rate: Int
    /// The frames of a period.
    private(set) var periodFrames: Int
    private var periods: Int

    /// Creates the command for a stream that is running.
    ///
    /// - Parameters:
    ///   - stream: The stream, whose period remains.
    ///   - cards: The cards of the machine: a USB card needs three periods.
    init(_ stream: CardStream, of cards: [Card]) {
        (card, rate, periodFrames) = (stream.card, stream.rate, stream.periodFrames)
        let isUSB = cards.contains { $0.number == stream.card && $0.usbDevice != nil }
        let count = stream.bufferFrames / stream.periodFrames  // checked: not 0
        periods = max(isUSB ? 3 : 2, count)
    }

    /// Lengthens the period; a longer one needs no more than three.
    mutating func lengthenPeriod(to frames: Int) {
        periodFrames = frames
        periods = min(periods, 3)
    }

    /// Creates the command for the card that is playing, or else for a USB card or the first one.
    ///
    /// - Returns: `nil` if there is no card.
    init?(on machine: Machine) {
        let cards = Card.all(on: machine)
        if let stream = CardStream.running(on: machine).first {
            self.init(stream, of: cards)
        } else if let card = cards.first(where: { $0.usbDevice != nil }) ?? cards.first {
            self.init(
                card: card.number, rate: 48_000, periodFrames: 128,
                periods: card.usbDevice == nil ? 2 : 3)
        } else {
            return nil
        }
    }

    private init(card: Int, rate: Int, periodFrames: Int, periods: Int) {
        (self.card, self.rate) = (card, rate)
        (self.periodFrames, self.periods) = (periodFrames, periods)
    }

    /// The command for a shell.
    var text: String {
        "jackd -R -d alsa -d hw:\(card) -r \(rate) -p \(periodFrames) -n \(periods)"
    }

    /// The commands for a shell that set the same periods in jackdbus, and start its server again.
    var controls: [String] {
        [
            "jack_control dps period \(periodFrames)", "jack_control dps nperiods \(periods)",
            "jack_control stop", "jack_control start",
        ]
    }
}

extension Finding.Fix {
    /// Creates a remedy that starts jackd again; without a command, the note alone.
    init(restartingWith command: JackdCommand?, note: String) {
        self.init(
            commands: command.map { [$0.text] } ?? [],
            note: command == nil ? note : "\(note) End the running jackd first.")
    }
}
