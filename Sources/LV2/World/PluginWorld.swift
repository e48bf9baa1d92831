internal import CLilv
public import Processing
internal import Synchronization

/// The LV2 plugins installed on this machine.
///
/// It reads nothing until it is first asked, and then each plugin once. It may be used from any thread but the audio thread.
public final class PluginWorld: PluginSource, @unchecked Sendable {
    // SAFETY: what is mutable is only reached with the lock held; lilv's functions are not thread-safe.
    private let lock = Mutex(())
    let bundleFolders: [String]
    /// The program that plays a plugin in a process of its own; nil where none can.
    let hostProgram: String?
    let marks: CrashMarks
    private var opened: LilvWorldHandle?
    private var shapes: [String: PluginShape] = [:]
    let rehearsals = Rehearsals()

    /// The plugins of `LV2_PATH`, or else of LV2's usual folders, and of further ones.
    ///
    /// - Parameters:
    ///   - bundleFolders: Folders that hold `*.lv2` bundles.
    ///   - hostProgram: A program that calls `PluginHost.play` when it is told to: with it, plugins may have a process of
    ///     their own. Mostly `/proc/self/exe`.
    ///   - diary: Where plugins leave marks of what they are in, for the case that one ends this process.
    public convenience init(
        bundleFolders: [String] = [], hostProgram: String? = nil, diary: CrashDiary? = nil
    ) {
        self.init(
            bundleFolders: bundleFolders, hostProgram: hostProgram, marks: diary?.marks ?? .unread)
    }

    init(bundleFolders: [String], hostProgram: String? = nil, marks: CrashMarks) {
        self.bundleFolders = bundleFolders
        self.hostProgram = hostProgram
        self.marks = marks
    }

    /// Where plugins are looked for anyway: `LV2_PATH`, or else LV2's usual folders.
    public static var searchedFolders: [String] { BundleFolders.searchedAnyway }

    /// What the plugin of this URI is.
    ///
    /// - Throws: `PluginFault` where it is not installed or its description is broken.
    public func description(ofPlugin uri: String) throws(PluginFault) -> NodeDescription {
        try locked { () throws(PluginFault) in try shape(uri).description }
    }

    /// The URIs of all installed plugins, sorted.
    public func installedPlugins() -> [String] {
        let uris = try? locked { () throws(PluginFault) in
            let world = try world()
            return world.allPlugins().map { PluginReader(world: world, plugin: $0).uri }
        }
        return uris?.sorted() ?? []
    }

    /// Runs a body with the lock held.
    func locked<Result>(_ body: () throws(PluginFault) -> Result) throws(PluginFault) -> Result {
        try lock.withLock { _ throws(PluginFault) in try body() }
    }

    /// Runs a body that cannot fail with the lock held.
    func exclusively(_ body: () -> Void) { lock.withLock { _ in body() } }

    /// lilv's world, opened at its first use.
    ///
    /// The caller holds the lock.
    func world() throws(PluginFault) -> LilvWorldHandle {
        if let opened { return opened }
        guard let world = LilvWorldHandle(bundleFolders: bundleFolders) else {
            throw PluginFault("the installed plugins cannot be read: out of memory")
        }
        opened = world
        return world
    }

    /// The plugin of a URI in lilv's world.
    ///
    /// The caller holds the lock.
    func plugin(_ uri: String) throws(PluginFault) -> OpaquePointer {
        guard let plugin = try world().plugin(uri) else {
            throw PluginFault("the plugin \(uri) is not installed", isMissing: true)
        }
        return plugin
    }

    /// A plugin's shape, read once.
    ///
    /// The caller holds the lock.
    func shape(_ uri: String) throws(PluginFault) -> PluginShape {
        if let shape = shapes[uri] { return shape }
        let shape = PluginReader(world: try world(), plugin: try plugin(uri)).shape()
        if let fault = shape.fault {
            throw PluginFault("the plugin \(uri) cannot be used: \(fault)")
        }
        shapes[uri] = shape
        return shape
    }
}
