import LV2
import PluginComparison

/// Plugins made to misbehave, built once into a folder for temporary files.
enum HostileBundle {
    /// A world that has them beside the installed ones.
    static let world = PluginWorld(bundleFolders: [folder])

    private static let folder: String = {
        guard let folder = BareRender.temporaryFolder() else { return "" }
        let source = String(
            #filePath.prefix(through: #filePath.lastIndex(of: "/") ?? #filePath.startIndex))
        _ = ChildProgram(path: "/bin/cp").run(["-r", source + "Hostile/.", folder])
        let bundle = folder + "/hostile.lv2/"
        _ = ChildProgram(path: "/usr/bin/cc").run([
            "-shared", "-fPIC", "-O1", bundle + "hostile.c", "-o", bundle + "hostile.so",
        ])
        return folder
    }()
}
