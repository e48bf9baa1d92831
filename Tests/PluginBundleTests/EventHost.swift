import Glibc
import PluginBundle
import Processing
import TestSignals

/// What a host tells a plugin at a frame.
enum HostEvent {
    case message([UInt8])
    /// Beats per minute.
    case tempo(Double)
}

/// A minimal LV2 host, which sends events to the event port of a plugin.
struct EventHost {
    let plugin: BundledPlugin
    let parameters: [String: Float]
    let sampleRate = 48_000.0

    private typealias List = @convention(c) (UInt32) -> UnsafePointer<UnsafeRawPointer?>?
    private typealias Instantiate =
        @convention(c) (
            UnsafeRawPointer, Double, UnsafePointer<CChar>, UnsafePointer<UnsafeRawPointer?>
        ) -> UnsafeMutableRawPointer?
    private typealias Connect =
        @convention(c) (UnsafeMutableRawPointer, UInt32, UnsafeMutableRawPointer?) -> Void
    private typealias Act = @convention(c) (UnsafeMutableRawPointer) -> Void
    private typealias Run = @convention(c) (UnsafeMutableRawPointer, UInt32) -> Void
    private typealias Map = @convention(c) (UnsafeRawPointer?, UnsafePointer<CChar>) -> UInt32

    /// The fields of a plugin's descriptor, of which each is a pointer.
    private enum Field: Int { case uri, instantiate, connect, activate, run, deactivate, cleanup }

    /// The numbers of the types and properties are their places in this list, from 1 on.
    private static let terms = [
        "atom#Sequence", "midi#MidiEvent", "atom#Object", "time#Position", "time#beatsPerMinute",
        "atom#Float", "atom#Double", "time#speed",
    ]

    private static func number(of term: String) -> UInt32 {
        UInt32((terms.firstIndex { "http://lv2plug.in/ns/ext/\($0)" == term } ?? 99) + 1)
    }

    private static func number(_ ending: String) -> UInt32 {
        number(of: "http://lv2plug.in/ns/ext/\(ending)")
    }

    /// Renders signals with a new instance.
    ///
    /// - Parameters:
    ///   - input: One signal per channel.
    ///   - blocks: The lengths of the runs.
    ///   - events: The events with their frames, in order.
    /// - Returns: One signal per output channel.
    /// - Throws: `Failure` if the plugin cannot be created.
    func render(
        _ input: [[Float]], blocks: [Int], events: [(frame: Int, event: HostEvent)]
    ) throws -> [[Float]] {
        let descriptor = try descriptor()
        let instance = try instance(of: descriptor)
        let frames = blocks.reduce(0, +)
        let channels =
            (input
            + Array(
                repeating: Array(repeating: 0, count: frames),
                count: plugin.outputCount)).map { signal in
                let place = UnsafeMutablePointer<Float>.allocate(capacity: frames)
                place.initialize(from: signal, count: frames)
                return place
            }
        let controls = controls
        let values = UnsafeMutablePointer<Float>.allocate(capacity: controls.count)
        values.initialize(from: controls, count: controls.count)
        let sequence = UnsafeMutableRawPointer.allocate(byteCount: 1 << 16, alignment: 8)
        defer {
            channels.forEach { $0.deallocate() }
            values.deallocate()
            sequence.deallocate()
        }
        let connect = unsafeBitCast(descriptor[Field.connect.rawValue], to: Connect.self)
        for index in 0..<controls.count {
            connect(instance, UInt32(channels.count + index), values + index)
        }
        connect(instance, UInt32(channels.count + controls.count), sequence)
        unsafeBitCast(descriptor[Field.activate.rawValue], to: Act.self)(instance)
        let run = unsafeBitCast(descriptor[Field.run.rawValue], to: Run.self)
        var first = 0
        for count in blocks {
            for (port, channel) in channels.enumerated() {
                connect(instance, UInt32(port), channel + first)
            }
            let due = events.filter { (first..<first + count).contains($0.frame) }
            write(due.map { ($0.frame - first, $0.event) }, to: sequence)
            run(instance, UInt32(count))
            first += count
        }
        unsafeBitCast(descriptor[Field.cleanup.rawValue], to: Act.self)(instance)
        return channels.dropFirst(input.count).map {
            Array(UnsafeBufferPointer(start: $0, count: frames))
        }
    }

    /// The values of the ports between the signals and the events: the parameters, `enabled`,
    /// `latency`, and the reports.
    private var controls: [Float] {
        plugin.description.parameters.map { parameters[$0.name] ?? $0.defaultValue } + [1, 0]
            + plugin.description.reports.map { _ in 0 }
    }

    private func descriptor() throws -> UnsafePointer<UnsafeRawPointer?> {
        guard let library = dlopen("\(bundleFolder)/stompline.so", RTLD_NOW),
            let symbol = dlsym(library, "lv2_descriptor")
        else { throw Failure(reason: "The library cannot be loaded.") }
        let list = unsafeBitCast(symbol, to: List.self)
        var index: UInt32 = 0
        while let descriptor = list(index) {
            if let uri = descriptor[Field.uri.rawValue],
                String(cString: uri.assumingMemoryBound(to: CChar.self)) == plugin.uri
            {
                return descriptor
            }
            index += 1
        }
        throw Failure(reason: "The library has no \(plugin.uri).")
    }

    /// Returns an instance that has the feature `urid:map`.
    private func instance(of descriptor: UnsafePointer<UnsafeRawPointer?>) throws
        -> UnsafeMutableRawPointer
    {
        let map: Map = { EventHost.number(of: String(cString: $1)) }
        let instantiate = unsafeBitCast(
            descriptor[Field.instantiate.rawValue], to: Instantiate.self)
        // A handle and a function, then the name of the feature and its data.
        let mapping: [UnsafeRawPointer?] = [nil, unsafeBitCast(map, to: UnsafeRawPointer.self)]
        let instance = mapping.withUnsafeBytes { mapping in
            "http://lv2plug.in/ns/ext/urid#map".withCString { name in
                let feature: [UnsafeRawPointer?] = [UnsafeRawPointer(name), mapping.baseAddress]
                return feature.withUnsafeBytes { feature in
                    instantiate(descriptor, sampleRate, bundleFolder, [feature.baseAddress, nil])
                }
            }
        }
        guard let instance else { throw Failure(reason: "\(plugin.uri) makes no instance.") }
        return instance
    }

    /// Writes a sequence of events.
    private func write(_ events: [(Int, HostEvent)], to place: UnsafeMutableRawPointer) {
        var bytes: [UInt8] = word(0) + word(0)
        for (frame, event) in events {
            bytes += withUnsafeBytes(of: Int64(frame)) { Array($0) }
            switch event {
            case .message(let message):
                bytes += atom("midi#MidiEvent", message)
            case .tempo(let tempo):
                // The object's number, its type, and two properties: a key, a context, and a value.
                let speed = withUnsafeBytes(of: Float(1)) { Array($0) }
                let value = withUnsafeBytes(of: tempo) { Array($0) }
                bytes += atom(
                    "atom#Object",
                    word(0) + word(Self.number("time#Position"))
                        + word(Self.number("time#speed")) + word(0) + atom("atom#Float", speed)
                        + word(Self.number("time#beatsPerMinute")) + word(0)
                        + atom("atom#Double", value))
            }
        }
        let whole = atom("atom#Sequence", bytes)
        place.copyMemory(from: whole, byteCount: whole.count)
    }

    /// Returns an atom, padded to a multiple of eight bytes.
    private func atom(_ type: String, _ body: [UInt8]) -> [UInt8] {
        word(UInt32(body.count)) + word(Self.number(type)) + body
            + Array(repeating: 0, count: -body.count & 7)
    }

    private func word(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value) { Array($0) } }
}
