import LV2
import PluginComparison
import Processing
import Testing

@Suite("A plugin whose creation does not return")
struct PluginCreatorTests {
    private let endless = "urn:stompline-test:uncreated"

    private var world: PluginWorld {
        PluginWorld(bundleFolders: [HostileBundle.folder], creationSeconds: 0.3)
    }

    private func message(of uri: String, in world: PluginWorld) -> String {
        #expect(throws: PluginError.self) { try world.makeProcessor(uri) }?.message ?? ""
    }

    @Test("is given up with a reason, and other plugins of its library can be created")
    func givenUp() throws {
        let world = world
        #expect(
            message(of: endless, in: world)
                == "the plugin \(endless) cannot be used: it was not created within 0.3 s; "
                + "\"isolate\": true creates it in a separate process")
        // The next attempt fails at once.
        #expect(message(of: endless, in: world).hasSuffix("until the program is started again"))
        let processor = try world.makeProcessor("urn:stompline-test:flags")
        #expect(processor.render([0.5, 0.25], frames: 2, blockFrames: 2).count == 2)
    }

    @Test("plugins that return are created as without a limit, or fail with their own reason")
    func others() throws {
        let world = world
        #expect(
            message(of: "urn:stompline-test:null", in: world)
                == message(of: "urn:stompline-test:null", in: HostileBundle.world))
        for _ in 0..<3 { _ = try world.makeProcessor("urn:stompline-test:flags") }
    }
}
