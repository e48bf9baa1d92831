internal import Effects
internal import Glibc
internal import LV2
internal import Players
internal import Processing
internal import Recorders

/// What the program finds around itself: its effects, the plugins of the system, and those that came with it.
enum Surroundings {
    /// What is built in.
    static let effects = EffectCatalogue.effects + [Player.effect(), Recorder.effect(disk)]
    /// Writes all takes.
    static let disk = DiskThread()

    /// Everything that a node may be.
    static func catalogue(
        with plugins: PluginWorld = plugins(), permissions: Permissions = .looking
    ) -> Catalogue {
        Catalogue(effects: effects, plugins: plugins, permissions: permissions)
    }

    /// For measuring a pipeline many times over: recorders do all but write.
    static func benchCatalogue(permissions: Permissions) -> Catalogue {
        var catalogue = catalogue(permissions: permissions)
        let recorder = Recorder.effect(disk, keepsTakes: false)
        catalogue.effects.removeAll { $0.description.name == recorder.description.name }
        catalogue.effects.append(recorder)
        return catalogue
    }

    /// The installed plugins, and those that came with the program.
    static func plugins(_ diary: CrashDiary? = nil) -> PluginWorld {
        // This very program, also where its file has been replaced meanwhile.
        PluginWorld(bundleFolders: bundleFolders, hostProgram: "/proc/self/exe", diary: diary)
    }

    /// The installed plugins as lists show them.
    static func pluginList(of world: PluginWorld = plugins()) -> PluginList {
        PluginList(of: world, prober: ["/proc/self/exe", "plugin-probe"])
    }

    /// Where the LV2 bundles that came with the program are.
    ///
    /// A program that was built in a checkout takes the checkout's `plugins/`; one that was installed as
    /// `PREFIX/bin/stompline` takes `PREFIX/lib/lv2`, unless that is searched anyway.
    private static var bundleFolders: [String] {
        guard let program = realpath("/proc/self/exe") else { return [] }
        let folders = sequence(first: parent(of: program)) { $0 == "/" ? nil : parent(of: $0) }
        for folder in folders where exists("\(folder)/Sources/stompline") {
            return exists("\(folder)/plugins") ? ["\(folder)/plugins"] : []
        }
        // By their resolved paths, as `/lib` may lead to `/usr/lib`.
        guard let installed = realpath(parent(of: parent(of: program)) + "/lib/lv2") else {
            return []
        }
        return PluginWorld.searchedFolders.compactMap(realpath).contains(installed)
            ? [] : [installed]
    }

    private static func realpath(_ path: String) -> String? {
        guard let resolved = Glibc.realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    private static func parent(of path: String) -> String {
        let parts = path.split(separator: "/").dropLast()
        return "/" + parts.joined(separator: "/")
    }

    private static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
}
