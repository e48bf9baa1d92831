internal import CLilv
internal import Glibc
internal import Processing

/// The features with which a plugin is instantiated.
///
/// They live as long as this object.
final class PluginFeatures {
    /// The offered features, by URI.
    ///
    /// The engine fulfils `inPlaceBroken`, because no output buffer is ever an input buffer. It
    /// fulfils `coarseBlockLength`, because no cycle is split for a plugin. It cannot promise that
    /// the block size never changes.
    static let offered: Set<String> = Set(
        withState + [schedule] + withPaths + withoutData + [Namespace.state("loadDefaultState")])

    /// Features for instantiation and for states; for states, lilv adds its own path features.
    private static let withState = [
        Namespace.urid("map"), Namespace.urid("unmap"), Namespace.options("options"),
        Namespace.log("log"),
    ]
    private static let schedule = Namespace.worker("schedule")
    private static let withPaths = [
        Namespace.state("makePath"), Namespace.state("mapPath"), Namespace.state("freePath"),
    ]
    private static let withoutData = [
        Namespace.bufferSize("boundedBlockLength"), Namespace.bufferSize("coarseBlockLength"),
        Namespace.core("inPlaceBroken"), Namespace.core("hardRTCapable"), Namespace.core("isLive"),
        Namespace.state("threadSafeRestore"), Namespace.portProperties("supportsStrictBounds"),
    ]

    /// The `urid:map` of this process.
    static var uridMap: LV2_URID_Map {
        LV2_URID_Map(handle: nil) { _, uri in uri.map { URIDTable.map(cString: $0) } ?? 0 }
    }

    /// The `urid:unmap` of this process.
    static var uridUnmap: LV2_URID_Unmap {
        LV2_URID_Unmap(handle: nil) { _, urid in URIDTable.unmap(cStringOf: urid) }
    }

    /// Pointers to the features, terminated by `nil`, in the form that plugins expect.
    let list: UnsafeMutableBufferPointer<UnsafePointer<LV2_Feature>?>
    /// The same for saving and restoring a state.
    let stateList: UnsafeMutableBufferPointer<UnsafePointer<LV2_Feature>?>
    private let features: [UnsafeMutablePointer<LV2_Feature>]
    private let map: UnsafeMutablePointer<LV2_URID_Map>
    private let unmap: UnsafeMutablePointer<LV2_URID_Unmap>
    let options: PluginOptions

    /// Creates the features of one instance.
    ///
    /// - Parameters:
    ///   - format: The source of the options' values.
    ///   - log: The target of `log:log`. It must outlive this object, as must the next two.
    ///   - worker: The worker for the plugin's work.
    ///   - files: The plugin's own files.
    ///   - loadsDefaultState: Whether the plugin has a default state and receives it.
    init(
        _ format: AudioFormat, log: UnsafeMutablePointer<PluginLog>, worker: PluginWorker,
        files: PluginFiles, loadsDefaultState: Bool
    ) {
        options = PluginOptions(format)
        map = .allocate(capacity: 1)
        map.initialize(to: Self.uridMap)
        unmap = .allocate(capacity: 1)
        unmap.initialize(to: Self.uridUnmap)
        let stateData: [UnsafeMutableRawPointer?] = [
            .init(map), .init(unmap), .init(options.options.baseAddress), .init(log),
        ]
        let both = zip(Self.withState, stateData).map(Self.feature)
        let forRestoring = [Self.feature(Self.schedule, .init(worker.restoreSchedule))]
        let paths: [UnsafeMutableRawPointer?] = [
            .init(files.makePath), .init(files.mapPath), .init(files.freePath),
        ]
        let plain =
            Self.withoutData + (loadsDefaultState ? [Namespace.state("loadDefaultState")] : [])
        let forMaking =
            [Self.feature(Self.schedule, .init(worker.schedule))]
            + zip(Self.withPaths, paths).map(Self.feature) + plain.map { Self.feature($0, nil) }
        features = both + forRestoring + forMaking
        list = Self.list(both + forMaking)
        stateList = Self.list(both + forRestoring)
    }

    deinit {
        list.deallocate()
        stateList.deallocate()
        for feature in features {
            Glibc.free(UnsafeMutableRawPointer(mutating: feature.pointee.URI))
            feature.deallocate()
        }
        map.deallocate()
        unmap.deallocate()
    }

    private static func feature(_ uri: String, _ data: UnsafeMutableRawPointer?)
        -> UnsafeMutablePointer<LV2_Feature>
    {
        let feature = UnsafeMutablePointer<LV2_Feature>.allocate(capacity: 1)
        feature.initialize(to: LV2_Feature(URI: UnsafePointer(strdup(uri)), data: data))
        return feature
    }

    private static func list(_ features: [UnsafeMutablePointer<LV2_Feature>])
        -> UnsafeMutableBufferPointer<UnsafePointer<LV2_Feature>?>
    {
        let list = UnsafeMutableBufferPointer<UnsafePointer<LV2_Feature>?>.allocate(
            capacity: features.count + 1)
        _ = list.initialize(from: features.map { UnsafePointer($0) } + [nil])
        return list
    }
}
