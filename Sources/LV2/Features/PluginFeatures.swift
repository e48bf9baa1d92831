internal import CLilv
internal import Glibc
internal import Processing

/// The features that a plugin is instantiated with.
///
/// They live as long as this object.
final class PluginFeatures {
    /// The features there are, by URI.
    ///
    /// `inPlaceBroken` is honoured by the engine: no output buffer is ever an input's. `coarseBlockLength` holds, as
    /// no period is split for a plugin; a block length that never changes can be promised to nobody.
    static let offered: Set<String> = Set(
        withState + [schedule] + withPaths + withoutData + [Namespace.state("loadDefaultState")])

    /// What is given again where a state is saved or restored; lilv adds paths of its own there.
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

    /// The process's own `urid:map`.
    static var uridMap: LV2_URID_Map {
        LV2_URID_Map(handle: nil) { _, uri in uri.map { URIDTable.map(cString: $0) } ?? 0 }
    }

    /// The process's own `urid:unmap`.
    static var uridUnmap: LV2_URID_Unmap {
        LV2_URID_Unmap(handle: nil) { _, urid in URIDTable.unmap(cStringOf: urid) }
    }

    /// Pointers to the features, ended by nil, as plugins take them.
    let list: UnsafeMutableBufferPointer<UnsafePointer<LV2_Feature>?>
    /// As `list`, for where a state is saved or restored.
    let stateList: UnsafeMutableBufferPointer<UnsafePointer<LV2_Feature>?>
    private let features: [UnsafeMutablePointer<LV2_Feature>]
    private let map: UnsafeMutablePointer<LV2_URID_Map>
    private let unmap: UnsafeMutablePointer<LV2_URID_Unmap>
    let options: PluginOptions

    /// - Parameters:
    ///   - format: What the options say.
    ///   - log: Where `log:log` leads; it outlives this object, as do the next two.
    ///   - worker: What does the plugin's work.
    ///   - files: Where the plugin's own files are.
    ///   - loadsDefaultState: Whether the plugin has a default state and gets it.
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
