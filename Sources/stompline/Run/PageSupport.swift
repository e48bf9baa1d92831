internal import Glibc
internal import HTTPServer
internal import LV2
internal import Pipelines
internal import Processing

/// What the program does for the page with files and plugins.
enum PageSupport {
    /// The largest template, in bytes.
    private static let mostBytes = 1 << 20

    /// Returns the services for a session.
    ///
    /// - Parameters:
    ///   - file: The current file.
    ///   - plugins: The installed plugins.
    /// - Returns: The services.
    static func services(_ file: PlayedFile, _ plugins: PluginWorld) -> PageServices {
        var services = PageServices()
        services.check = { [weak file] in file?.errors(in: $0, path: $1) ?? [] }
        services.templates = templates
        services.palette = NodePalette().text(for:)
        services.presets = { uri in
            do throws(PluginError) {
                return .success(
                    try plugins.presets(ofPlugin: uri).map { .init(label: $0.label, uri: $0.uri) })
            } catch { return .failure(error) }
        }
        services.savePreset = { order in
            guard let preset = NodePreset(ofNode: order.node, in: order.pipeline) else {
                return .failure(PluginError("the node is not an LV2 plugin"))
            }
            do throws(PluginError) {
                return .success(
                    try plugins.savePreset(
                        order.label, ofPlugin: preset.uri, preset.request,
                        isReplacing: order.isReplacing))
            } catch { return .failure(error) }
        }
        return services
    }

    /// Returns the shipped pipelines that are installed, sorted by name.
    @Sendable private static func templates() -> [PageServices.Template] {
        guard let folder = HostServices.pipelineFolder, let directory = opendir(folder) else {
            return []
        }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasSuffix(".json"), !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted().compactMap { name in
            guard
                let bytes = try? FileContents(
                    path: folder + "/" + name, limitBytes: mostBytes
                ).bytes, bytes.count <= mostBytes
            else { return nil }
            return PageServices.Template(name: name, bytes: bytes)
        }
    }
}
