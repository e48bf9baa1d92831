import Control
import Testing

@Suite("the network's door")
struct DoorTests {
    private let stranger = Endpoint(host: "192.0.2.7", port: 5000)
    private let request = OSCMessage("/panic")

    @Test("this machine needs no word; others are let in with the right one")
    func word() throws {
        let stranger = try #require(stranger)
        var door = Door(token: "sesame")
        #expect(admits(.loopback(port: 5000), 0, &door))
        #expect(!admits(stranger, 0, &door))
        #expect(!says("open", stranger, &door))
        #expect(!admits(stranger, 0, &door))
        #expect(says("sesame", stranger, &door))
        #expect(admits(stranger, 3599, &door))
        #expect(!admits(stranger, 7300, &door))
    }

    @Test("without a word no other machine is let in")
    func noWord() throws {
        let stranger = try #require(stranger)
        var door = Door(token: nil)
        #expect(!says("", stranger, &door))
        #expect(!admits(stranger, 0, &door))
        #expect(admits(.loopback(port: 5000), 0, &door))
    }

    private func admits(_ sender: Endpoint, _ seconds: Double, _ door: inout Door) -> Bool {
        door.admits(request, from: sender, nowSeconds: seconds)
    }

    private func says(_ word: String, _ sender: Endpoint, _ door: inout Door) -> Bool {
        door.hear(OSCMessage("/token", .text(word)), from: sender, nowSeconds: 0)
    }
}
