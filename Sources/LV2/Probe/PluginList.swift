internal import Glibc
public import Processing
internal import Synchronization
internal import Threads

/// The installed plugins as lists show them, from a cache wherever that is not older than their files.
public final class PluginList {
    private let world: PluginWorld
    private let cachePath: String?
    /// The arguments that start a program which calls `ProbeProcess.probe(_:in:)`.
    private let prober: [String]
    private var cache: PluginCache
    private let folders: [String]

    /// The plugins of a world.
    ///
    /// - Parameters:
    ///   - world: Where they are.
    ///   - prober: The arguments that start a program which calls `ProbeProcess.probe(_:in:)`; URIs are put behind.
    ///   - cachePath: The cache's file; nil for the usual one.
    public init(of world: PluginWorld, prober: [String], cachePath: String? = nil) {
        self.world = world
        self.prober = prober
        self.cachePath = cachePath ?? PluginCache.usualPath
        cache = self.cachePath.map(PluginCache.init(contentsOf:)) ?? PluginCache()
        folders = BundleFolders(further: world.bundleFolders).all
    }

    /// The plugins whose URI, name, author or category holds a text, by URI, each once.
    ///
    /// - Parameter text: What to look for, upper and lower case alike; empty for all plugins.
    /// - Returns: What is known of each.
    /// - Throws: `PluginFault` where the installed plugins cannot be read.
    public func plugins(matching text: String = "") throws(PluginFault) -> [KnownPlugin] {
        try refresh(folders)
        let wanted = text.lowercased()
        var found: [String: KnownPlugin] = [:]
        for plugin in folders.compactMap({ cache.bundles[$0] }).flatMap(\.plugins)
        where plugin.summary.mentions(wanted) && found[plugin.summary.uri] == nil {
            found[plugin.summary.uri] = plugin
        }
        return found.values.sorted { $0.summary.uri < $1.summary.uri }
    }

    /// What trying a plugin came to; it is tried now where it was not yet.
    ///
    /// - Returns: The verdict; nil where no process could be started to try it.
    /// - Throws: `PluginFault` where it is not installed.
    public func verdict(on uri: String) throws(PluginFault) -> PluginVerdict? {
        let bundle = String(try world.summary(ofPlugin: uri).bundlePath.dropLast())
        try refresh([bundle])
        guard let known = plugin(uri, in: bundle) else { return nil }
        if known.verdict == nil { probe([known]) }
        return plugin(uri, in: bundle)?.verdict
    }

    private func plugin(_ uri: String, in bundle: String) -> KnownPlugin? {
        cache.bundles[bundle]?.plugins.first { $0.summary.uri == uri }
    }

    /// Tries plugins, each bundle's in a process of its own, and keeps the verdicts.
    ///
    /// - Parameters:
    ///   - plugins: The plugins.
    ///   - progress: Is told how many of them were tried so far.
    public func probe(_ plugins: [KnownPlugin], progress: @Sendable (Int) -> Void = { _ in }) {
        let bundles = Dictionary(grouping: plugins.map(\.summary), by: \.bundlePath)
            .values.map { $0.map(\.uri) }
        let trial = Trial(bundles)
        let prober = prober
        withoutActuallyEscaping(progress) { progress in
            Crew.run(workers: max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))) {
                while let uris = trial.nextBundle() {
                    progress(trial.finish(ProbeProcess.verdicts(on: uris, by: prober)))
                }
            }
        }
        keep(trial.verdicts)
    }

    /// Reads the bundles that are new or changed.
    private func refresh(_ bundles: [String]) throws(PluginFault) {
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
            for place in cache.bundles[bundle]?.plugins.indices ?? 0..<0 {
                guard let uri = cache.bundles[bundle]?.plugins[place].summary.uri,
                    let verdict = verdicts[uri]
                else { continue }
                cache.bundles[bundle]?.plugins[place].verdict = verdict
            }
        }
        save()
    }

    private func save() { if let cachePath { cache.write(to: cachePath) } }
}

/// The bundles still to be tried, and what was found so far.
private final class Trial: Sendable {
    private struct State {
        var rest: [[String]]
        var verdicts: [String: PluginVerdict] = [:]
    }

    private let state: Mutex<State>

    init(_ bundles: [[String]]) { state = Mutex(State(rest: bundles)) }

    var verdicts: [String: PluginVerdict] { state.withLock { $0.verdicts } }

    func nextBundle() -> [String]? { state.withLock { $0.rest.popLast() } }

    /// Takes a bundle's verdicts; returns how many there are in all.
    func finish(_ verdicts: [String: PluginVerdict]) -> Int {
        state.withLock { state in
            state.verdicts.merge(verdicts) { $1 }
            return state.verdicts.count
        }
    }
}

/// Some threads that do the same.
private enum Crew {
    /// Runs a body on so many threads, this one among them, and waits for all.
    static func run(workers: Int, _ body: @Sendable () -> Void) {
        withoutActuallyEscaping(body) { body in
            let threads = (1..<workers).compactMap { _ in OwnThread(name: "probe", body) }
            body()
            for thread in threads { thread.join() }
        }
    }
}
