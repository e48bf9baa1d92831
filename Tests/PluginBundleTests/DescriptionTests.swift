import Effects
import Glibc
import PluginBundle
import Testing

/// The folder of the project.
private let projectFolder =
    "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

/// The folder of the bundle in the project.
let bundleFolder = projectFolder + "/plugins/stompline.lv2"

@Suite("The plugin bundle's descriptions")
struct DescriptionTests {
    private let bundle = BundleDescription(of: BundledPlugin.all(of: EffectCatalogue.effects))

    @Test("match the effects; describe-plugins updates them")
    func inStep() {
        #expect(contents("\(bundleFolder)/manifest.ttl") == bundle.manifest)
        #expect(contents("\(bundleFolder)/stompline.ttl") == bundle.plugin)
        #expect(contents("\(bundleFolder)/presets.ttl") == bundle.presets)
    }

    @Test("describe only plugins that scripts/sanitize/sanitize.sh runs")
    func sanitized() throws {
        let pipeline = try #require(contents("\(projectFolder)/Tests/Tools/Stress/bundled.json"))
        let nodes = Set(pipeline.split(separator: "\"").map(String.init))
        for plugin in BundledPlugin.all(of: EffectCatalogue.effects) {
            #expect(nodes.contains(plugin.uri), "\(plugin.uri)")
        }
    }

    @Test("follow the specification of LV2")
    func valid() throws {
        let files = ["manifest.ttl", "stompline.ttl", "presets.ttl"].map { "\(bundleFolder)/\($0)" }
        #expect(try output(of: ["lv2_validate"] + files).contains("Found 0 errors"))
    }

    private func contents(_ path: String) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        while case let byte = fgetc(file), byte != EOF { bytes.append(UInt8(byte)) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
