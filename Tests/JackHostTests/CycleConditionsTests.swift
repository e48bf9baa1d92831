import JackHost
import Processing
import Testing

@Suite("The conditions of the server's cycles")
struct CycleConditionsTests {
    private static let format = AudioFormat(sampleRate: 48_000, maximumBlockFrames: 128)

    @Test("change when the session uses what the server has announced, and only once")
    func announcements() {
        var conditions = CycleConditions(Self.format)
        conditions.announce(blockFrames: 256)
        conditions.announce(sampleRate: 44_100)
        #expect(conditions.format == Self.format)
        let used = [conditions.useAnnounced(), conditions.useAnnounced()]
        let expected = AudioFormat(sampleRate: 44_100, maximumBlockFrames: 256)
        #expect(used == [expected, nil])
        #expect(conditions.format == expected)
    }

    @Test("are not in real time while the server freewheels, and shortly after")
    func freewheel() {
        var conditions = CycleConditions(Self.format)
        #expect(conditions.areRealTime(atNanoseconds: 0))
        conditions.setFreewheeling(true, atNanoseconds: 0)
        #expect(!conditions.areRealTime(atNanoseconds: .max))
        conditions.setFreewheeling(false, atNanoseconds: 1000)
        let returns = 1000 + CycleConditions.returnNanoseconds
        #expect(!conditions.areRealTime(atNanoseconds: returns - 1))
        #expect(conditions.areRealTime(atNanoseconds: returns))
    }

    @Test("keep the format of a server that is left, but not its announcements")
    func leaving() {
        var conditions = CycleConditions(Self.format)
        conditions.announce(blockFrames: 256)
        conditions.setFreewheeling(true, atNanoseconds: 0)
        conditions.forgetServer()
        let used = conditions.useAnnounced()
        #expect(used == nil && conditions.format == Self.format)
        #expect(!conditions.isFreewheeling)
    }
}
