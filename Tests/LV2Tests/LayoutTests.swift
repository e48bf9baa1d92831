import LV2
import PluginComparison
import Processing
import Testing

@Suite("The order of channels, and options")
struct LayoutTests {
    private let uri = "urn:stompline-test:layout"

    @Test("the ports of a group are in the order of its channels, whatever their indices are")
    func order() throws {
        let description = try HostileBundle.world.description(ofPlugin: uri)
        guard case .ports(let inputs, let outputs) = description.channels else {
            Issue.record("it has no ports")
            return
        }
        #expect(inputs.map(\.symbol) == ["in_l", "in_r"])
        #expect(outputs.map(\.symbol) == ["out_l", "out_r"])
        #expect(description.missingFeatures == [])
    }

    @Test(
        "the first channel of a block goes through the left ports, the second through the right"
    )
    func channels() throws {
        let processor = try HostileBundle.world.makeProcessor(uri)
        let stereo = (0..<128).map { Float($0 + 1) / 256 }
        let output = processor.render(stereo, frames: 64)
        // The plugin inverts only its right channel.
        let isRight = { (place: Int) in place % 2 == 1 }
        #expect(output == stereo.enumerated().map { isRight($0.offset) ? -$0.element : $0.element })
    }

    @Test("a plugin that supports the options interface receives its options before it plays")
    func options() throws {
        let processor = try HostileBundle.world.makeProcessor(uri)
        _ = processor.render([Float](repeating: 0, count: 128), frames: 64)
        let reports = try #require(processor.reports)
        #expect(reports[0] > 0)
        #expect(reports[1] == 48_000)
    }
}
