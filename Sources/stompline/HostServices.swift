internal import Effects
internal import Glibc
internal import LV2
internal import Loopers
internal import Players
internal import Processing
internal import Recorders
internal import Platform
internal import Terminal

/// The program's resources: its effects, the plugins of the system, and the bundled plugins.
enum HostServices {
    /// The built-in effects.
    static let effects =
        EffectCatalogue.effects + [
            Player.effect(), Recorder.effect(disk), Looper.effect(),
        ]
    /// The thread that writes all takes.
    static let disk = DiskThread()

    /// Makes a crash in a function of a plugin report the plugin.
    private static let crashReports: Void = CrashActions.add { PluginExits.reportCrash() }

    /// Returns the catalogue of all node types: effects and plugins.
    ///
    /// If a plugin of it crashes in this process, the end of the program reports the plugin.
    static func catalogue(
        with plugins: PluginWorld = plugins(), permissions: Permissions = .looking
    ) -> Catalogue {
        _ = crashReports
        let player = Player.effect(
            streams: .network(
                reach: HostPermissions(allowsPrivateHosts: permissions.privateHosts)))
        return Catalogue(
            effects: effects.map { $0.description.name == player.description.name ? player : $0 },
            plugins: plugins, permissions: permissions)
    }

    /// Returns a catalogue for benchmarks, whose recorders do everything except keep their takes.
    static func benchCatalogue(
        with plugins: PluginWorld = plugins(), permissions: Permissions
    ) -> Catalogue {
        var catalogue = catalogue(with: plugins, permissions: permissions)
        let recorder = Recorder.effect(disk, keepsTakes: false)
        catalogue.effects.removeAll { $0.description.name == recorder.description.name }
        catalogue.effects.append(recorder)
        return catalogue
    }

    /// Returns the plugins of the system and the bundled plugins.
    ///
    /// - Parameters:
    ///   - diary: The diary for marks of the plugin code that runs.
    ///   - creationSeconds: The longest time for the creation of a plugin in this process, in
    ///     seconds; `nil` for no limit.
    ///   - refusesHungPlugins: Whether an isolated plugin is refused after one of its processes
    ///     hung.
    /// - Returns: The plugins.
    static func plugins(
        _ diary: CrashDiary? = nil, creationSeconds: Double? = nil,
        refusesHungPlugins: Bool = false
    ) -> PluginWorld {
        // `/proc/self/exe` is the running program, even if its file has been replaced since the
        // start.
        PluginWorld(
            bundleFolders: bundleFolders, hostProgram: "/proc/self/exe", diary: diary,
            creationSeconds: creationSeconds, refusesHungPlugins: refusesHungPlugins)
    }

    /// Returns the list of plugins with the results of their trials.
    static func pluginList(of world: PluginWorld = plugins()) -> PluginList {
        PluginList(of: world, prober: ["/proc/self/exe", "plugin-probe"])
    }

    /// The folders of the LV2 bundles that are distributed with the program.
    ///
    /// A program that was built in a checkout uses the checkout's `plugins/`. A program that is
    /// installed as `PREFIX/bin/stompline` uses `PREFIX/lib/lv2`, unless that folder is searched
    /// anyway.
    private static var bundleFolders: [String] {
        guard let program = AbsolutePath.resolvingLinks("/proc/self/exe") else { return [] }
        let folders = sequence(first: parent(of: program)) { $0 == "/" ? nil : parent(of: $0) }
        for folder in folders where exists("\(folder)/Sources/stompline") {
            return exists("\(folder)/plugins") ? ["\(folder)/plugins"] : []
        }
        // Compares resolved paths, because `/lib` may be a link to `/usr/lib`.
        guard
            let installed = AbsolutePath.resolvingLinks(
                parent(of: parent(of: program)) + "/lib/lv2")
        else {
            return []
        }
        return PluginWorld.searchedFolders.compactMap(AbsolutePath.resolvingLinks).contains(
            installed)
            ? [] : [installed]
    }

    /// The folder of the pipelines that are distributed with the program: `pipelines` of a checkout,
    /// or `PREFIX/share/stompline/pipelines`; `nil` without one.
    static var pipelineFolder: String? {
        guard let program = AbsolutePath.resolvingLinks("/proc/self/exe") else { return nil }
        let folders = sequence(first: parent(of: program)) { $0 == "/" ? nil : parent(of: $0) }
        for folder in folders where exists("\(folder)/Sources/stompline") {
            return exists("\(folder)/pipelines") ? "\(folder)/pipelines" : nil
        }
        let installed = parent(of: parent(of: program)) + "/share/stompline/pipelines"
        return exists(installed) ? installed : nil
    }

    private static func parent(of path: String) -> String {
        let parts = path.split(separator: "/").dropLast()
        return "/" + parts.joined(separator: "/")
    }

    private static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
}
