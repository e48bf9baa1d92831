import LV2
import PluginComparison

/// Plugins made to misbehave, built into a folder beside the tests.
enum HostileBundle {
    /// A world that has them beside the installed ones.
    static let world = PluginWorld(bundleFolders: [folder])

    /// The folder with the bundles.
    static let folder: String = {
        let folder = ChildProgram(product: "hostile-plugins").path
        _ = ChildProgram(path: "/bin/mkdir").run(["-p", folder])
        let source = String(
            #filePath.prefix(through: #filePath.lastIndex(of: "/") ?? #filePath.startIndex))
        _ = ChildProgram(path: "/bin/cp").run(["-r", source + "Hostile/.", folder])
        for name in ["hostile", "worker", "property"] {
            let source = "\(folder)/\(name).lv2/\(name)"
            _ = ChildProgram(path: "/usr/bin/cc").run([
                "-shared", "-fPIC", "-O1", source + ".c", "-o", source + ".so",
            ])
        }
        return folder
    }()
}
