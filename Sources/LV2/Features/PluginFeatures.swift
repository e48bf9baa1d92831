internal import CLilv
internal import Glibc
internal import Processing
internal import Realtime

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
    let list: Buffer<UnsafePointer<LV2_Feature>?>
    /// The same for saving and restoring a state.
    let stateList: Buffer<UnsafePointer<LV2_Feature>?>
    private let features: Buffer<LV2_Feature>
    private let map = Buffer(count: 1, repeating: PluginFeatures.uridMap)
    private let unmap = Buffer(count: 1, repeating: PluginFeatures.uridUnmap)
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
        let stateData: [UnsafeMutableRawPointer?] = [
            .init(map.start), .init(unmap.start), .init(options.options.start), .init(log),
        ]
        let both = zip(Self.withState, stateData).map(Self.feature)
        let forRestoring = [Self.feature(Self.schedule, .init(worker.restoreSchedule.start))]
        let paths: [UnsafeMutableRawPointer?] = [
            .init(files.makePath.start), .init(files.mapPath.start), .init(files.freePath.start),
        ]
        let plain =
            Self.withoutData + (loadsDefaultState ? [Namespace.state("loadDefaultState")] : [])
        let forMaking =
            [Self.feature(Self.schedule, .init(worker.schedule.start))]
            + zip(Self.withPaths, paths).map(Self.feature) + plain.map { Self.feature($0, nil) }
        features = Buffer(both + forRestoring + forMaking)
        let first = UnsafePointer(features.start)
        let bothEnd = both.count, restoringEnd = bothEnd + forRestoring.count
        list = Self.list(of: first, Array(0..<bothEnd) + (restoringEnd..<features.count))
        stateList = Self.list(of: first, Array(0..<restoringEnd))
    }

    deinit {
        for index in 0..<features.count {
            Glibc.free(UnsafeMutableRawPointer(mutating: features[index].URI))
        }
    }

    private static func feature(_ uri: String, _ data: UnsafeMutableRawPointer?) -> LV2_Feature {
        LV2_Feature(URI: UnsafePointer(strdup(uri)), data: data)
    }

    /// Returns pointers to the features with the given indices, terminated by `nil`.
    private static func list(of features: UnsafePointer<LV2_Feature>, _ indices: [Int])
        -> Buffer<UnsafePointer<LV2_Feature>?>
    {
        Buffer(indices.map { features + $0 } + [nil])
    }
}
