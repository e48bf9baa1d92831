import Effects
import Glibc
import PluginBundle
import Testing

/// The folder of the bundle in the project.
let bundleFolder: String = {
    let parts = #filePath.split(separator: "/").dropLast(3)
    return "/" + parts.joined(separator: "/") + "/plugins/stompline.lv2"
}()

@Suite("The plugin bundle's descriptions")
struct DescriptionTests {
    private let bundle = BundleDescription(of: BundledPlugin.all(of: EffectCatalogue.effects))

    @Test("match the effects; describe-plugins updates them")
    func inStep() {
        #expect(contents("manifest.ttl") == bundle.manifest)
        #expect(contents("stompline.ttl") == bundle.plugin)
    }

    private func contents(_ name: String) -> String? {
        guard let file = fopen("\(bundleFolder)/\(name)", "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        while case let byte = fgetc(file), byte != EOF { bytes.append(UInt8(byte)) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
