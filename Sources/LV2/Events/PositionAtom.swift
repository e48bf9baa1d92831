internal import CRealtime

/// A writer of `time:Position` objects, which plugins receive among their events.
struct PositionAtom {
    /// Bytes of the object after its atom header: the object's type and one property per quantity.
    static var byteCount: Int { @_noLocks get { 8 + 8 * propertyBytes } }
    private static var propertyBytes: Int { @_noLocks get { 24 } }

    let type = URIDTable.map(Namespace.atom("Object"))
    private let position = URIDTable.map(Namespace.time("Position"))
    private let long = URIDTable.map(Namespace.atom("Long"))
    private let int = URIDTable.map(Namespace.atom("Int"))
    private let float = URIDTable.map(Namespace.atom("Float"))
    private let double = URIDTable.map(Namespace.atom("Double"))
    private let frame = URIDTable.map(TimeQuantity.frame.uri)
    private let speed = URIDTable.map(TimeQuantity.speed.uri)
    private let bar = URIDTable.map(TimeQuantity.bar.uri)
    private let beat = URIDTable.map(TimeQuantity.beat.uri)
    private let barBeat = URIDTable.map(TimeQuantity.barBeat.uri)
    private let beatUnit = URIDTable.map(TimeQuantity.beatUnit.uri)
    private let beatsPerBar = URIDTable.map(TimeQuantity.beatsPerBar.uri)
    private let beatsPerMinute = URIDTable.map(TimeQuantity.beatsPerMinute.uri)

    /// Writes the object's body, `byteCount` bytes.
    @_noLocks
    func write(_ time: RTTransport, at pointer: UnsafeMutableRawPointer) {
        pointer.storeBytes(of: 0, as: UInt32.self)
        pointer.storeBytes(of: position, toByteOffset: 4, as: UInt32.self)
        var next = pointer + 8
        add(frame, long, UInt64(bitPattern: time.frame), &next)
        add(speed, float, TimeQuantity.speed.value(at: time).bitPattern, &next)
        add(bar, long, UInt64(bitPattern: time.bar), &next)
        add(beat, double, time.beat.bitPattern, &next)
        add(barBeat, float, Float(time.barBeat).bitPattern, &next)
        add(beatUnit, int, UInt32(bitPattern: time.beatUnit), &next)
        add(beatsPerBar, float, Float(time.beatsPerBar).bitPattern, &next)
        add(beatsPerMinute, float, Float(time.beatsPerMinute).bitPattern, &next)
    }

    @_noLocks
    private func add(
        _ key: UInt32, _ type: UInt32, _ bits: UInt64, _ pointer: inout UnsafeMutableRawPointer
    ) {
        addHeader(key, type, byteCount: 8, pointer)
        pointer.storeBytes(of: bits, toByteOffset: 16, as: UInt64.self)
        pointer += Self.propertyBytes
    }

    @_noLocks
    private func add(
        _ key: UInt32, _ type: UInt32, _ bits: UInt32, _ pointer: inout UnsafeMutableRawPointer
    ) {
        addHeader(key, type, byteCount: 4, pointer)
        pointer.storeBytes(of: bits, toByteOffset: 16, as: UInt32.self)
        pointer.storeBytes(of: 0, toByteOffset: 20, as: UInt32.self)
        pointer += Self.propertyBytes
    }

    @_noLocks
    private func addHeader(
        _ key: UInt32, _ type: UInt32, byteCount: UInt32, _ pointer: UnsafeMutableRawPointer
    ) {
        pointer.storeBytes(of: key, as: UInt32.self)
        pointer.storeBytes(of: 0, toByteOffset: 4, as: UInt32.self)
        pointer.storeBytes(of: byteCount, toByteOffset: 8, as: UInt32.self)
        pointer.storeBytes(of: type, toByteOffset: 12, as: UInt32.self)
    }
}
