internal import CLilv
internal import Glibc
internal import Processing

/// The features that a plugin is instantiated with.
///
/// They live as long as this object.
final class PluginFeatures {
    /// The features there are, by URI.
    ///
    /// `inPlaceBroken` is honoured by the engine: no output buffer is ever an input's.
    static let offered: Set<String> = Set(
        withData + withoutData + [Namespace.state("loadDefaultState")])

    private static let withData = [
        Namespace.urid("map"), Namespace.urid("unmap"), Namespace.options("options"),
        Namespace.log("log"),
    ]
    private static let withoutData = [
        Namespace.bufferSize("boundedBlockLength"), Namespace.core("inPlaceBroken"),
        Namespace.core("hardRTCapable"), Namespace.core("isLive"),
    ]

    /// The process's own `urid:map`.
    static var uridMap: LV2_URID_Map {
        LV2_URID_Map(handle: nil) { _, uri in uri.map { URIDTable.map(cString: $0) } ?? 0 }
    }

    private static var uridUnmap: LV2_URID_Unmap {
        LV2_URID_Unmap(handle: nil) { _, urid in URIDTable.unmap(cStringOf: urid) }
    }

    /// Pointers to the features, ended by nil, as plugins take them.
    let list: UnsafeMutableBufferPointer<UnsafePointer<LV2_Feature>?>
    private let features: UnsafeMutableBufferPointer<LV2_Feature>
    private let names: [UnsafeMutablePointer<CChar>?]
    private let map: UnsafeMutablePointer<LV2_URID_Map>
    private let unmap: UnsafeMutablePointer<LV2_URID_Unmap>
    private let options: PluginOptions

    /// - Parameters:
    ///   - format: What the options say.
    ///   - log: Where `log:log` leads; it outlives this object.
    ///   - loadsDefaultState: Whether the plugin has a default state and gets all of it.
    init(_ format: AudioFormat, log: UnsafeMutablePointer<PluginLog>, loadsDefaultState: Bool) {
        options = PluginOptions(format)
        map = .allocate(capacity: 1)
        map.initialize(to: Self.uridMap)
        unmap = .allocate(capacity: 1)
        unmap.initialize(to: Self.uridUnmap)
        let data: [UnsafeMutableRawPointer?] = [
            .init(map), .init(unmap), .init(options.options.baseAddress), .init(log),
        ]
        let uris =
            Self.withData + Self.withoutData
            + (loadsDefaultState ? [Namespace.state("loadDefaultState")] : [])
        names = uris.map { strdup($0) }
        features = .allocate(capacity: uris.count)
        list = .allocate(capacity: uris.count + 1)
        list.initialize(repeating: nil)
        for place in uris.indices {
            features.initializeElement(
                at: place,
                to: LV2_Feature(
                    URI: UnsafePointer(names[place]), data: place < data.count ? data[place] : nil))
            list[place] = features.baseAddress.map { UnsafePointer($0 + place) }
        }
    }

    deinit {
        list.deallocate()
        features.deallocate()
        for name in names { Glibc.free(name) }
        map.deallocate()
        unmap.deallocate()
    }
}
