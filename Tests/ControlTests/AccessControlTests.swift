import Control
import Testing

@Suite("access control of the network")
struct AccessControlTests {
    private let stranger: Endpoint
    private let other: Endpoint

    init() throws {
        stranger = try #require(Endpoint(host: "192.0.2.7", port: 5000))
        other = try #require(Endpoint(host: "192.0.2.8", port: 5000))
    }

    @Test("local clients need no token; others need the right one, until they fall silent")
    func word() {
        var access = AccessControl(token: OSCToken("sesame"))
        #expect(admits(.loopback(port: 5000), 0, &access))
        #expect(!admits(stranger, 0, &access))
        #expect(says("open", stranger, &access) == .wrongToken)
        #expect(!admits(stranger, 0, &access))
        #expect(isAdmitted(says("sesame", stranger, &access)))
        #expect(admits(stranger, 3599, &access))
        #expect(!admits(stranger, 7300, &access))
        #expect(!admits(other, 0, &access))
    }

    @Test("without a token no other machine is admitted")
    func noWord() {
        var access = AccessControl(token: nil)
        #expect(says("", stranger, &access) == .nothing)
        #expect(!admits(stranger, 0, &access))
        #expect(admits(.loopback(port: 5000), 0, &access))
    }

    @Test("an address is proven only by its own number, and only for a limited time")
    func challenge() throws {
        var access = AccessControl(token: OSCToken("sesame"))
        let number = try #require(challenge(says("sesame", stranger, &access)))
        let foreign = try #require(challenge(says("sesame", other, &access)))
        #expect(number != foreign)
        #expect(!access.isProven(stranger))
        #expect(answers(foreign, stranger, 0, &access) == .nothing)
        #expect(answers(number &+ 1, stranger, 0, &access) == .nothing)
        #expect(answers(number, stranger, 100, &access) == .nothing)
        #expect(!access.isProven(stranger))
        #expect(answers(number, stranger, 20, &access) == .proven)
        #expect(access.isProven(stranger))
        #expect(!access.isProven(other))
        // A proven address gets no further challenge.
        #expect(says("sesame", stranger, &access) == .admitted(challenge: nil))
    }

    @Test("after five wrong tokens, further ones are ignored for a while")
    func guesses() {
        var access = AccessControl(token: OSCToken("0042"))
        let outcomes = (0..<10_000).map { number in
            says(String("\(10_000 + number)".dropFirst()), stranger, &access)
        }
        #expect(outcomes.filter { $0 == .wrongToken }.count == 5)
        #expect(!outcomes.contains(where: isAdmitted))
        #expect(!admits(stranger, 0, &access))
        // The right token is accepted again later.
        #expect(isAdmitted(says("0042", stranger, &access, nowSeconds: 20)))
    }

    @Test("forged addresses use up only the attempts of unproven addresses")
    func forgedGuesses() throws {
        var access = AccessControl(token: OSCToken("0042"))
        #expect(isAdmitted(says("0042", other, &access)))
        var compared = 0
        for host in 0..<5000 {
            let forged = try #require(
                Endpoint(host: "198.18.\(host / 250).\(host % 250 + 1)", port: 9))
            if says("x", forged, &access) == .wrongToken { compared += 1 }
        }
        #expect(compared < 25)
        // Admitted clients stay admitted, even if they send the token again.
        #expect(admits(other, 0, &access))
        #expect(isAdmitted(says("0042", other, &access)))
        // A new client proves its address and is then admitted.
        let refused = says("0042", stranger, &access)
        guard case .notCompared(let number?) = refused else {
            Issue.record("\(refused) is no challenge")
            return
        }
        #expect(answers(number, stranger, 0, &access) == .proven)
        #expect(says("0042", stranger, &access) == .admitted(challenge: nil))
        #expect(access.isProven(stranger))
    }

    @Test("an unproven address receives less than three times its own traffic")
    func credit() {
        var access = AccessControl(token: OSCToken("sesame"))
        #expect(!allows(1, stranger, &access))
        var (received, sent) = (0, 0)
        for isAdmitted in [false, true] {
            if isAdmitted { _ = says("sesame", stranger, &access) }
            for turn in 0..<5000 {
                let bytes = 12 + turn % 50
                access.receive(bytes, from: stranger)
                received += bytes
                while allows(20 + turn % 7, stranger, &access) { sent += 20 + turn % 7 }
                #expect(sent < 3 * received)
            }
            #expect(sent > 2 * received)
        }
        #expect(allows(1 << 30, .loopback(port: 1), &access))
    }

    @Test("a generated token is easy to type and hard to guess; a short one is easy to guess")
    func tokens() {
        let made = (0..<100).map { _ in OSCToken.random() }
        #expect(Set(made.map(\.text)).count == 100)
        #expect(made.allSatisfy { !$0.isEasyToGuess && $0.text.utf8.count == 19 })
        #expect(made.allSatisfy { $0.text.allSatisfy { $0 == "-" || $0.isLetter || $0.isNumber } })
        for short in ["1234", "sesame", "aB3$aB3$", "1234567890123456789"] {
            #expect(OSCToken(short)?.isEasyToGuess == true)
        }
        #expect(OSCToken("12345678901234567890")?.isEasyToGuess == false)
        #expect(OSCToken("") == nil)
        #expect(OSCToken("a\u{0}") == nil)
        #expect(OSCToken(String(repeating: "a", count: OSCToken.maximumBytes + 1)) == nil)
    }

    @Test("a token is matched as a whole", arguments: ["", "sesam", "sesame ", "Sesame", "sesamf"])
    func matching(guess: String) throws {
        let token = try #require(OSCToken("sesame"))
        #expect(!token.matches(guess))
        #expect(token.matches("sesame"))
    }

    private func admits(_ sender: Endpoint, _ seconds: Double, _ access: inout AccessControl)
        -> Bool
    {
        access.admits(sender, nowSeconds: seconds)
    }

    private func allows(_ bytes: Int, _ receiver: Endpoint, _ access: inout AccessControl) -> Bool {
        access.allows(bytes, to: receiver)
    }

    private func says(
        _ word: String, _ sender: Endpoint, _ access: inout AccessControl, nowSeconds: Double = 0
    ) -> AccessControl.Outcome {
        access.handle(OSCMessage("/token", .text(word)), from: sender, nowSeconds: nowSeconds)
    }

    private func answers(
        _ number: Int64, _ sender: Endpoint, _ seconds: Double, _ access: inout AccessControl
    ) -> AccessControl.Outcome {
        access.handle(OSCMessage("/challenge", .long(number)), from: sender, nowSeconds: seconds)
    }

    private func challenge(_ outcome: AccessControl.Outcome) -> Int64? {
        if case .admitted(let number) = outcome { number } else { nil }
    }

    private func isAdmitted(_ outcome: AccessControl.Outcome) -> Bool {
        if case .admitted = outcome { true } else { false }
    }
}
