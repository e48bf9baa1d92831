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

    @Test("do not change if the server announces the present format again")
    func sameAnnouncement() {
        var conditions = CycleConditions(Self.format)
        conditions.announce(blockFrames: 128)
        let used = conditions.useAnnounced()
        #expect(used == nil)
    }

    @Test("follow cycles with another format that the server has not announced")
    func unannounced() {
        var conditions = CycleConditions(Self.format)
        let other = AudioFormat(sampleRate: 44_100, maximumBlockFrames: 64)
        conditions.note(other, cycle: 10)
        conditions.note(other, cycle: 10 + CycleConditions.unannouncedCycles - 1)
        let early = conditions.useAnnounced()
        conditions.note(other, cycle: 10 + CycleConditions.unannouncedCycles)
        let used = conditions.useAnnounced()
        #expect(early == nil && used?.maximumBlockFrames == 64 && used?.sampleRate == 44_100)
        conditions.note(other, cycle: 100)
        let again = conditions.useAnnounced()
        #expect(again == nil)
    }

    @Test("ignore single cycles with another format, and those without frames")
    func singleCycles() {
        var conditions = CycleConditions(Self.format)
        for cycle in 0..<100 as Range<UInt64> {
            let frames = [64, 128, 32, 0][Int(cycle % 4)]
            conditions.note(
                AudioFormat(sampleRate: 48_000, maximumBlockFrames: frames), cycle: cycle)
        }
        let used = conditions.useAnnounced()
        #expect(used == nil)
    }

    @Test("follow an announcement although the last cycles had the former format")
    func announcedBefore() {
        var conditions = CycleConditions(Self.format)
        conditions.note(Self.format, cycle: 7)
        conditions.announce(blockFrames: 256)
        conditions.note(Self.format, cycle: 7)
        let used = conditions.useAnnounced()
        #expect(used?.maximumBlockFrames == 256)
        conditions.note(Self.format, cycle: 8)
        let again = conditions.useAnnounced()
        #expect(again == nil)
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
