internal import CLilv
public import Processing
internal import Synchronization

/// The LV2 plugins installed on this machine.
///
/// It reads nothing until the first query, and then each plugin once. Any thread except the audio
/// thread may use it.
public final class PluginWorld: PluginSource, @unchecked Sendable {
    // SAFETY: mutable data is only accessed while the lock is held, because lilv's functions are
    // not thread-safe.
    private let lock = Mutex(())
    let bundleFolders: [String]
    /// The program that runs a plugin in its own process; `nil` if isolation is not possible.
    let hostProgram: String?
    let marks: CrashMarks
    private var opened: LilvWorldHandle?
    private var shapes: [String: PluginShape] = [:]
    let trialInstances = TrialInstances()
    /// Creates the plugins of this process; `nil` if there is no limit for the time of that.
    let creator: PluginCreator?
    /// The isolated plugins that hung; `nil` if each instance may hang again.
    let hungPlugins: HungPlugins?

    /// Creates the world of the plugins in LV2's default search path and in additional folders.
    ///
    /// The search path is `LV2_PATH`, or else LV2's default folders.
    ///
    /// - Parameters:
    ///   - bundleFolders: Additional folders with `*.lv2` bundles.
    ///   - hostProgram: A program that calls `PluginHost.play` if its arguments request it, usually
    ///     `/proc/self/exe`. With it, plugins may run in their own processes.
    ///   - diary: The diary for marks of the plugin code that runs, in case a plugin ends this
    ///     process.
    ///   - creationSeconds: The longest time for the creation of a plugin in this process, in
    ///     seconds; `nil` for no limit.
    ///   - refusesHungPlugins: Whether an isolated plugin is refused after one of its processes
    ///     hung during its creation, or in a run that is not live. Each other instance would hang
    ///     for as long.
    public convenience init(
        bundleFolders: [String] = [], hostProgram: String? = nil, diary: CrashDiary? = nil,
        creationSeconds: Double? = nil, refusesHungPlugins: Bool = false
    ) {
        self.init(
            bundleFolders: bundleFolders, hostProgram: hostProgram, marks: diary?.marks ?? .unread,
            creator: creationSeconds.map(PluginCreator.init(limitSeconds:)),
            hungPlugins: refusesHungPlugins ? HungPlugins() : nil)
    }

    init(
        bundleFolders: [String], hostProgram: String? = nil, marks: CrashMarks,
        creator: PluginCreator? = nil, hungPlugins: HungPlugins? = nil
    ) {
        self.creator = creator
        self.hungPlugins = hungPlugins
        self.bundleFolders = bundleFolders
        self.hostProgram = hostProgram
        self.marks = marks
    }

    /// The folders that are searched by default: `LV2_PATH`, or else LV2's default folders.
    public static var searchedFolders: [String] { BundleFolders.defaultFolders }

    /// Returns the description of the plugin with a URI.
    ///
    /// - Throws: `PluginError` if it is not installed or its description is invalid.
    public func description(ofPlugin uri: String) throws(PluginError) -> NodeDescription {
        try locked { () throws(PluginError) in try shape(uri).description }
    }

    /// Returns the URIs of all installed plugins, sorted.
    public func installedPlugins() -> [String] {
        let uris = try? locked { () throws(PluginError) in
            let world = try world()
            return world.allPlugins().map { PluginReader(world: world, plugin: $0).uri }
        }
        return uris?.sorted() ?? []
    }

    /// Runs a body while the lock is held.
    func locked<Result>(_ body: () throws(PluginError) -> Result) throws(PluginError) -> Result {
        try lock.withLock { _ throws(PluginError) in try body() }
    }

    /// Runs a body that cannot fail while the lock is held.
    func exclusively(_ body: () -> Void) { lock.withLock { _ in body() } }

    /// Returns lilv's world, which is opened at its first use.
    ///
    /// The caller holds the lock.
    func world() throws(PluginError) -> LilvWorldHandle {
        if let opened { return opened }
        guard let world = LilvWorldHandle(bundleFolders: bundleFolders) else {
            throw PluginError("the installed plugins cannot be read: out of memory")
        }
        opened = world
        return world
    }

    /// Returns the plugin with a URI in lilv's world.
    ///
    /// The caller holds the lock.
    func plugin(_ uri: String) throws(PluginError) -> OpaquePointer {
        guard let plugin = try world().plugin(uri) else {
            throw PluginError("the plugin \(uri) is not installed", isMissing: true)
        }
        return plugin
    }

    /// Returns a plugin's shape, which is read once.
    ///
    /// The caller holds the lock.
    func shape(_ uri: String) throws(PluginError) -> PluginShape {
        if let shape = shapes[uri] { return shape }
        let shape = PluginReader(world: try world(), plugin: try plugin(uri)).shape()
        if let error = shape.error {
            throw PluginError("the plugin \(uri) cannot be used: \(error)")
        }
        shapes[uri] = shape
        return shape
    }
}
