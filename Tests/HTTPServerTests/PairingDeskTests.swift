import HTTPServer
import Testing

/// Codes, keys and their hashes.
@Suite struct PairingDeskTests {
    private let here = IPAddress("192.168.1.5")

    private func opened() -> (desk: PairingDesk, code: String, wrong: String) {
        var desk = PairingDesk()
        let (offer, code) = PairingOffer.make(Permit(role: .play), nowSeconds: 1000)
        desk.open(offer)
        return (desk, code, code == "000000" ? "000001" : "000000")
    }

    private func name(_ verdict: PairingDesk.Verdict) -> String {
        switch verdict {
        case .paired: "paired"
        case .wrong: "wrong"
        case .tooMany: "too many"
        case .exhausted: "exhausted"
        case .closed: "closed"
        }
    }

    @Test("the right code pairs once")
    func once() {
        var (desk, code, _) = opened()
        #expect(code.count == 6 && code.allSatisfy(\.isNumber))
        #expect(name(desk.attempt(code, from: here, nowSeconds: 1299)) == "paired")
        #expect(name(desk.attempt(code, from: here, nowSeconds: 1299)) == "closed")
    }

    @Test("a code ends after five minutes")
    func expires() {
        var (desk, code, _) = opened()
        #expect(desk.isOpen(nowSeconds: 1299))
        #expect(!desk.isOpen(nowSeconds: 1300))
        #expect(name(desk.attempt(code, from: here, nowSeconds: 1300)) == "closed")
        // A clock that is set back does not open it again.
        #expect(name(desk.attempt(code, from: here, nowSeconds: 1000)) == "closed")
    }

    @Test("an address may try three wrong codes; others still pair")
    func perAddress() {
        var (desk, code, wrong) = opened()
        for _ in 0..<3 {
            #expect(name(desk.attempt(wrong, from: here, nowSeconds: 1001)) == "wrong")
        }
        #expect(name(desk.attempt(code, from: here, nowSeconds: 1001)) == "too many")
        let other = IPAddress("192.168.1.6")
        #expect(name(desk.attempt(code, from: other, nowSeconds: 1001)) == "paired")
    }

    @Test("the addresses of one IPv6 network count as one")
    func network() {
        var (desk, code, wrong) = opened()
        for host in 1...3 {
            let address = IPAddress("2001:db8:1:2::\(host)")
            #expect(name(desk.attempt(wrong, from: address, nowSeconds: 1001)) == "wrong")
        }
        let next = IPAddress("2001:db8:1:2:ffff::4")
        #expect(name(desk.attempt(code, from: next, nowSeconds: 1001)) == "too many")
        let other = IPAddress("2001:db8:1:3::1")
        #expect(name(desk.attempt(code, from: other, nowSeconds: 1001)) == "paired")
    }

    @Test("ten wrong codes from many addresses end the code")
    func exhausted() {
        var (desk, code, wrong) = opened()
        for number in 1...9 {
            let address = IPAddress("10.0.0.\(number)")
            #expect(name(desk.attempt(wrong, from: address, nowSeconds: 1001)) == "wrong")
        }
        #expect(name(desk.attempt(wrong, from: here, nowSeconds: 1001)) == "exhausted")
        #expect(name(desk.attempt(code, from: here, nowSeconds: 1001)) == "closed")
    }

    @Test("an offer that has ended is not opened again")
    func reopened() {
        var desk = PairingDesk()
        let (offer, code) = PairingOffer.make(Permit(role: .look), nowSeconds: 1000)
        desk.open(offer)
        _ = desk.attempt(code, from: here, nowSeconds: 1001)
        desk.open(offer)
        #expect(name(desk.attempt(code, from: here, nowSeconds: 1001)) == "closed")
    }

    @Test("codes and keys differ each time")
    func random() {
        let codes = Set(
            (0..<50).map { _ in
                PairingOffer.make(Permit(role: .play), nowSeconds: 0).code
            })
        #expect(codes.count > 40)
        let keys = Set((0..<50).map { _ in AccessKey.random().text })
        #expect(keys.count == 50)
        #expect(keys.allSatisfy { $0.count == 64 })
    }

    @Test("a hash is SHA-256, and equal only to itself")
    func hashes() {
        // The examples of FIPS 180-4.
        #expect(
            AccessHash(of: "abc").text
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(
            AccessHash(of: "").text
                == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(AccessHash(of: "abc").equals(AccessHash(of: "abc")))
        #expect(!AccessHash(of: "abc").equals(AccessHash(of: "abd")))
        #expect(
            AccessHash(hexadecimal: AccessHash(of: "x").text)?.equals(AccessHash(of: "x")) == true)
    }

    @Test(
        "a text that is no key is refused",
        arguments: [
            "", "0", String(repeating: "0", count: 63), String(repeating: "0", count: 65),
            String(repeating: "A", count: 64), String(repeating: "g", count: 64),
            String(repeating: "0", count: 63) + " ", String(repeating: "é", count: 32),
        ])
    func noKeys(text: String) {
        #expect(AccessKey(text) == nil)
        #expect(AccessHash(hexadecimal: text) == nil)
    }

    @Test("a name cannot change a terminal, and is not empty")
    func names() {
        #expect(RemoteDevice.cleanName("  Anna's\tphone \u{1B}[2J ") == "Anna's phone [2J")
        #expect(RemoteDevice.cleanName("\u{202E}\n") == "device")
        #expect(RemoteDevice.cleanName(String(repeating: "x", count: 100)).count == 40)
        #expect(RemoteDevice.cleanName("Ünï 🎸") == "Ünï 🎸")
    }
}
