import Control
import Testing

@Suite("access control of the network")
struct DoorTests {
    private let stranger: Endpoint
    private let other: Endpoint

    init() throws {
        stranger = try #require(Endpoint(host: "192.0.2.7", port: 5000))
        other = try #require(Endpoint(host: "192.0.2.8", port: 5000))
    }

    @Test("local clients need no token; others need the right one, until they fall silent")
    func word() {
        var door = Door(token: OSCToken("sesame"))
        #expect(admits(.loopback(port: 5000), 0, &door))
        #expect(!admits(stranger, 0, &door))
        #expect(says("open", stranger, &door) == .wrongWord)
        #expect(!admits(stranger, 0, &door))
        #expect(isAdmitted(says("sesame", stranger, &door)))
        #expect(admits(stranger, 3599, &door))
        #expect(!admits(stranger, 7300, &door))
        #expect(!admits(other, 0, &door))
    }

    @Test("without a token no other machine is admitted")
    func noWord() {
        var door = Door(token: nil)
        #expect(says("", stranger, &door) == .nothing)
        #expect(!admits(stranger, 0, &door))
        #expect(admits(.loopback(port: 5000), 0, &door))
    }

    @Test("an address is proven only by its own number, and only for a limited time")
    func challenge() throws {
        var door = Door(token: OSCToken("sesame"))
        let number = try #require(challenge(says("sesame", stranger, &door)))
        let foreign = try #require(challenge(says("sesame", other, &door)))
        #expect(number != foreign)
        #expect(!door.isProven(stranger))
        #expect(answers(foreign, stranger, 0, &door) == .nothing)
        #expect(answers(number &+ 1, stranger, 0, &door) == .nothing)
        #expect(answers(number, stranger, 100, &door) == .nothing)
        #expect(!door.isProven(stranger))
        #expect(answers(number, stranger, 20, &door) == .proven)
        #expect(door.isProven(stranger))
        #expect(!door.isProven(other))
        // A proven address gets no further challenge.
        #expect(says("sesame", stranger, &door) == .admitted(challenge: nil))
    }

    @Test("after five wrong tokens, further ones are ignored for a while")
    func guesses() {
        var door = Door(token: OSCToken("0042"))
        let outcomes = (0..<10_000).map { number in
            says(String("\(10_000 + number)".dropFirst()), stranger, &door)
        }
        #expect(outcomes.filter { $0 == .wrongWord }.count == 5)
        #expect(!outcomes.contains(where: isAdmitted))
        #expect(!admits(stranger, 0, &door))
        // The right token is accepted again later.
        #expect(isAdmitted(says("0042", stranger, &door, nowSeconds: 20)))
    }

    @Test("forged addresses use up only the attempts of unproven addresses")
    func forgedGuesses() throws {
        var door = Door(token: OSCToken("0042"))
        #expect(isAdmitted(says("0042", other, &door)))
        var compared = 0
        for host in 0..<5000 {
            let forged = try #require(
                Endpoint(host: "198.18.\(host / 250).\(host % 250 + 1)", port: 9))
            if says("x", forged, &door) == .wrongWord { compared += 1 }
        }
        #expect(compared < 25)
        // Admitted clients stay admitted, also if they send the token again.
        #expect(admits(other, 0, &door))
        #expect(isAdmitted(says("0042", other, &door)))
        // A new client proves its address and is then admitted.
        let refused = says("0042", stranger, &door)
        guard case .notCompared(let number?) = refused else {
            Issue.record("\(refused) is no challenge")
            return
        }
        #expect(answers(number, stranger, 0, &door) == .proven)
        #expect(says("0042", stranger, &door) == .admitted(challenge: nil))
        #expect(door.isProven(stranger))
    }

    @Test("an unproven address receives less than three times its own traffic")
    func credit() {
        var door = Door(token: OSCToken("sesame"))
        #expect(!allows(1, stranger, &door))
        var (received, sent) = (0, 0)
        for isAdmitted in [false, true] {
            if isAdmitted { _ = says("sesame", stranger, &door) }
            for turn in 0..<5000 {
                let bytes = 12 + turn % 50
                door.receive(bytes, from: stranger)
                received += bytes
                while allows(20 + turn % 7, stranger, &door) { sent += 20 + turn % 7 }
                #expect(sent < 3 * received)
            }
            #expect(sent > 2 * received)
        }
        #expect(allows(1 << 30, .loopback(port: 1), &door))
    }

    @Test("a generated token is easy to type and hard to guess; a short one is easy to guess")
    func tokens() {
        let made = (0..<100).map { _ in OSCToken.made() }
        #expect(Set(made.map(\.text)).count == 100)
        #expect(made.allSatisfy { !$0.isEasyToGuess && $0.text.utf8.count == 19 })
        #expect(made.allSatisfy { $0.text.allSatisfy { $0 == "-" || $0.isLetter || $0.isNumber } })
        for short in ["1234", "sesame", "aB3$aB3$", "1234567890123456789"] {
            #expect(OSCToken(short)?.isEasyToGuess == true)
        }
        #expect(OSCToken("12345678901234567890")?.isEasyToGuess == false)
        #expect(OSCToken("") == nil)
        #expect(OSCToken("a\u{0}") == nil)
        #expect(OSCToken(String(repeating: "a", count: OSCToken.mostBytes + 1)) == nil)
    }

    @Test("a token is matched as a whole", arguments: ["", "sesam", "sesame ", "Sesame", "sesamf"])
    func matching(guess: String) throws {
        let token = try #require(OSCToken("sesame"))
        #expect(!token.matches(guess))
        #expect(token.matches("sesame"))
    }

    private func admits(_ sender: Endpoint, _ seconds: Double, _ door: inout Door) -> Bool {
        door.admits(sender, nowSeconds: seconds)
    }

    private func allows(_ bytes: Int, _ receiver: Endpoint, _ door: inout Door) -> Bool {
        door.allows(bytes, to: receiver)
    }

    private func says(
        _ word: String, _ sender: Endpoint, _ door: inout Door, nowSeconds: Double = 0
    ) -> Door.Outcome {
        door.hear(OSCMessage("/token", .text(word)), from: sender, nowSeconds: nowSeconds)
    }

    private func answers(
        _ number: Int64, _ sender: Endpoint, _ seconds: Double, _ door: inout Door
    ) -> Door.Outcome {
        door.hear(OSCMessage("/challenge", .long(number)), from: sender, nowSeconds: seconds)
    }

    private func challenge(_ outcome: Door.Outcome) -> Int64? {
        if case .admitted(let number) = outcome { number } else { nil }
    }

    private func isAdmitted(_ outcome: Door.Outcome) -> Bool {
        if case .admitted = outcome { true } else { false }
    }
}
