import Engine
import JackHost
import Pipelines
import Processing
import TestSignals
import Testing

struct FormatFollowerTests {
    @Test("a new block length or sample rate gives a new schedule, the same one none")
    func follow() throws {
        var format = AudioFormat(sampleRate: 48_000, maximumBlockFrames: 64)
        var follower = FormatFollower(
            .chain(lateFrames: [5]), catalogue: LateEffect.catalogue, format: format)
        #expect(try follower.follow(format) == nil)
        format.maximumBlockFrames = 256
        #expect(try follower.follow(format)?.plan.format == format)
        format.sampleRate = 96_000
        #expect(try follower.follow(format)?.plan.format == format)
        #expect(try follower.follow(format) == nil)
    }
}
