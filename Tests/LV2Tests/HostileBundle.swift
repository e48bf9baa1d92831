import Glibc
import LV2
import PluginComparison

/// Misbehaving plugins, built into a folder next to the tests.
enum HostileBundle {
    /// A world with these plugins in addition to the installed ones.
    static let world = PluginWorld(
        bundleFolders: [folder], hostProgram: ChildProgram(product: "stompline").path)

    /// The folder with the bundles.
    static let folder: String = {
        let folder = ChildProgram(product: "hostile-plugins").path
        _ = ChildProgram(path: "/bin/mkdir").run(["-p", folder])
        let source = String(
            #filePath.prefix(through: #filePath.lastIndex(of: "/") ?? #filePath.startIndex))
        _ = ChildProgram(path: "/bin/cp").run(["-r", source + "Hostile/.", folder])
        for name in [
            "hostile", "events", "brutal", "worker", "property", "layout", "share", "escape",
            "trigger",
        ] {
            let file = "\(folder)/\(name).lv2/\(name)"
            _ = ChildProgram(path: "/usr/bin/cc").run([
                "-shared", "-fPIC", "-O1", file + ".c", "-o", file + ".so", "-lm",
            ])
        }
        _ = ChildProgram(path: "/usr/bin/cc").run([
            "-O1", "-pthread", folder + "/share.lv2/fuzz-host.c", "-o", fuzzHost(in: folder),
        ])
        describeMany(folder + "/brutal.lv2/many.ttl")
        return folder
    }()

    /// A world whose isolated plugins are replaced by a process that writes random numbers into the
    /// shared memory.
    static let fuzzingWorld = PluginWorld(
        bundleFolders: [folder], hostProgram: fuzzHost(in: folder))

    private static func fuzzHost(in folder: String) -> String { folder + "/share.lv2/fuzz-host" }

    /// Writes the description of a plugin with 500 controls.
    private static func describeMany(_ path: String) {
        let controls = (2..<502).map {
            """
             , [ a lv2:InputPort , lv2:ControlPort ; lv2:index \($0) ; lv2:symbol "c\($0)" ; lv2:name "C\($0)" ;
            lv2:minimum 0 ; lv2:maximum 1 ; lv2:default 0 ]
            """
        }
        let text = """
            @prefix doap: <http://usefulinc.com/ns/doap#> .
            @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
            <urn:stompline-test:many> a lv2:Plugin ; doap:name "Many" ;
            lv2:port [ a lv2:InputPort , lv2:AudioPort ; lv2:index 0 ; lv2:symbol "in" ; lv2:name "In" ] ,
            [ a lv2:OutputPort , lv2:AudioPort ; lv2:index 1 ; lv2:symbol "out" ; lv2:name "Out" ]
            """
        guard let file = fopen(path, "w") else { return }
        fputs(text + controls.joined() + " .\n", file)
        fclose(file)
    }
}
