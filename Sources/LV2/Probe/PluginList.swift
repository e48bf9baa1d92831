internal import Glibc
public import Processing
internal import Synchronization
internal import Platform

/// The installed plugins for lists, from a cache as long as the cache is up to date.
public final class PluginList {
    private let world: PluginWorld
    private let cachePath: String?
    /// The arguments that start a program which calls `ProbeProcess.probe(_:in:scratchFolder:)`.
    private let prober: [String]
    private var cache: PluginCache
    private let folders: [String]

    /// Creates the list of the plugins of a world.
    ///
    /// - Parameters:
    ///   - world: The plugins.
    ///   - prober: The arguments that start a program which calls
    ///     `ProbeProcess.probe(_:in:scratchFolder:)`. The option `--scratch` with a folder, and
    ///     URIs, are appended.
    ///   - cachePath: The cache's file; `nil` for the default path.
    public init(of world: PluginWorld, prober: [String], cachePath: String? = nil) {
        self.world = world
        self.prober = prober
        self.cachePath = cachePath ?? PluginCache.defaultPath
        cache = self.cachePath.map(PluginCache.init(contentsOf:)) ?? PluginCache()
        folders = BundleFolders(further: world.bundleFolders).all
    }

    /// Returns the plugins whose URI, name, author or category contains a text, sorted by URI.
    ///
    /// - Parameter text: The text to search for, ignoring case; empty for all plugins.
    /// - Returns: The plugins, without duplicates.
    /// - Throws: `PluginError` if the installed plugins cannot be read.
    public func plugins(matching text: String = "") throws(PluginError) -> [KnownPlugin] {
        try refresh(folders)
        let wanted = text.lowercased()
        var found: [String: KnownPlugin] = [:]
        for plugin in folders.compactMap({ cache.bundles[$0] }).flatMap(\.plugins)
        where plugin.summary.mentions(wanted) && found[plugin.summary.uri] == nil {
            found[plugin.summary.uri] = plugin
        }
        return found.values.sorted { $0.summary.uri < $1.summary.uri }
    }

    /// Returns the result of probing a plugin, and probes it first if necessary.
    ///
    /// - Returns: The verdict; `nil` if no process could be started for it.
    /// - Throws: `PluginError` if the plugin is not installed.
    public func verdict(on uri: String) throws(PluginError) -> PluginVerdict? {
        let bundle = String(try world.summary(ofPlugin: uri).bundlePath.dropLast())
        try refresh([bundle])
        guard let known = plugin(uri, in: bundle) else { return nil }
        if known.verdict == nil { probe([known]) }
        return plugin(uri, in: bundle)?.verdict
    }

    /// Tries how a plugin treats denormals; the result is not stored.
    ///
    /// - Parameters:
    ///   - uri: The plugin.
    ///   - request: The values, the settings, the tempo and the sandbox.
    /// - Returns: The outcome.
    public func denormals(of uri: String, _ request: ProcessorRequest) -> DenormalOutcome {
        ProbeProcess.denormals(of: uri, request, by: prober)
    }

    private func plugin(_ uri: String, in bundle: String) -> KnownPlugin? {
        cache.bundles[bundle]?.plugins.first { $0.summary.uri == uri }
    }

    /// Probes plugins, with one process per bundle, and stores the verdicts.
    ///
    /// - Parameters:
    ///   - plugins: The plugins.
    ///   - progress: Receives the number of plugins probed so far.
    public func probe(_ plugins: [KnownPlugin], progress: @Sendable (Int) -> Void = { _ in }) {
        let bundles = Dictionary(grouping: plugins.map(\.summary), by: \.bundlePath)
            .values.map { $0.map(\.uri) }
        let trial = Trial(bundles)
        let prober = prober
        withoutActuallyEscaping(progress) { progress in
            ThreadGroup.run(workers: max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))) {
                while let uris = trial.nextBundle() {
                    progress(trial.finish(ProbeProcess.verdicts(on: uris, by: prober)))
                }
            }
        }
        keep(trial.verdicts)
    }

    /// Reads the bundles that are new or changed.
    private func refresh(_ bundles: [String]) throws(PluginError) {
        var fresh: [String: UInt64] = [:]
        for bundle in bundles {
            let fingerprint = BundleFolders.fingerprint(ofBundle: bundle)
            if let fingerprint, cache.bundles[bundle]?.fingerprint != fingerprint {
                fresh[bundle] = fingerprint
            }
        }
        guard !fresh.isEmpty else { return }
        let summaries = try world.summaries { fresh[String($0.dropLast())] != nil }
        let read = Dictionary(grouping: summaries) { String($0.bundlePath.dropLast()) }
        for (bundle, fingerprint) in fresh {
            cache.bundles[bundle] = PluginCache.Bundle(
                fingerprint: fingerprint,
                plugins: (read[bundle] ?? []).map { KnownPlugin(summary: $0) })
        }
        save()
    }

    private func keep(_ verdicts: [String: PluginVerdict]) {
        for bundle in cache.bundles.keys {
            for index in cache.bundles[bundle]?.plugins.indices ?? 0..<0 {
                guard let uri = cache.bundles[bundle]?.plugins[index].summary.uri,
                    let verdict = verdicts[uri]
                else { continue }
                cache.bundles[bundle]?.plugins[index].verdict = verdict
            }
        }
        save()
    }

    private func save() { if let cachePath { cache.write(to: cachePath) } }
}

/// The bundles that remain to be probed, and the verdicts so far.
private final class Trial: Sendable {
    private struct State {
        var rest: [[String]]
        var verdicts: [String: PluginVerdict] = [:]
    }

    private let state: Mutex<State>

    init(_ bundles: [[String]]) { state = Mutex(State(rest: bundles)) }

    var verdicts: [String: PluginVerdict] { state.withLock { $0.verdicts } }

    func nextBundle() -> [String]? { state.withLock { $0.rest.popLast() } }

    /// Adds a bundle's verdicts; returns the total number of verdicts.
    func finish(_ verdicts: [String: PluginVerdict]) -> Int {
        state.withLock { state in
            state.verdicts.merge(verdicts) { $1 }
            return state.verdicts.count
        }
    }
}

/// Threads that run the same body.
private enum ThreadGroup {
    /// Runs a body on a number of threads, including the current one, and waits for all of them.
    static func run(workers: Int, _ body: @Sendable () -> Void) {
        withoutActuallyEscaping(body) { body in
            let threads = (1..<workers).compactMap { _ in OwnThread(name: "probe", body) }
            body()
            for thread in threads { thread.join() }
        }
    }
}
