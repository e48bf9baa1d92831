internal import NIOCore

/// The levels, load and pitch that a page gets in its next binary message.
struct MeterFrame {
    /// The kind of the frame.
    private static let kind: UInt8 = 1

    private var levels = ChannelLevels()
    private var load = (mean: 0.0, worst: 0.0)
    private var pitchHertz = 0.0
    /// Whether something was measured since the last frame.
    private(set) var isNew = false

    /// Adds measurements, and keeps the highest peak since the last frame.
    ///
    /// - Parameters:
    ///   - measurements: The measurements.
    ///   - ports: The ports of the channels, in order.
    mutating func add(_ measurements: SessionInbox.Measurements, ports: [String]) {
        levels.follow(ports)
        if levels.add(measurements.levels) { isNew = true }
        if let newLoad = measurements.load {
            load = (newLoad.mean, max(load.worst, newLoad.worst))
            isNew = true
        }
        if let hertz = measurements.pitchHertz {
            pitchHertz = hertz
            isNew = true
        }
    }

    /// Returns the message, and starts the next one.
    mutating func pop() -> ByteBuffer {
        var message = ByteBuffer()
        message.reserveCapacity(12 + 4 * levels.count)
        message.writeInteger(Self.kind)
        message.writeInteger(UInt8(0))
        message.writeInteger(UInt16(clamping: levels.count), endianness: .little)
        let pitch = Float(pitchHertz)
        message.writeInteger((pitch.isFinite ? pitch : 0).bitPattern, endianness: .little)
        message.writeInteger(Self.share(load.mean), endianness: .little)
        message.writeInteger(Self.share(load.worst), endianness: .little)
        levels.pop(to: &message)
        load.worst = 0
        isNew = false
        return message
    }

    /// Returns a share in 1/10000.
    private static func share(_ share: Double) -> UInt16 {
        guard share.isFinite, share > 0 else { return 0 }
        return UInt16(clamping: Int((min(share, 100) * 10_000).rounded()))
    }
}

/// The levels of nodes that a page gets in its next binary message.
struct NodeMeterFrame {
    /// The kind of the frame.
    private static let kind: UInt8 = 2

    private var levels = ChannelLevels()
    /// Whether something was measured since the last frame.
    private(set) var isNew = false

    /// Adds measurements, and keeps the highest peak since the last frame.
    ///
    /// - Parameters:
    ///   - measurements: The measurements.
    ///   - channels: The names of the channels, in order.
    mutating func add(_ measurements: SessionInbox.Measurements, channels: [String]) {
        levels.follow(channels)
        if levels.add(measurements.nodeLevels) { isNew = true }
    }

    /// Returns the message, and starts the next one.
    mutating func pop() -> ByteBuffer {
        var message = ByteBuffer()
        message.reserveCapacity(4 + 4 * levels.count)
        message.writeInteger(Self.kind)
        message.writeInteger(UInt8(0))
        message.writeInteger(UInt16(clamping: levels.count), endianness: .little)
        levels.pop(to: &message)
        isNew = false
        return message
    }
}

/// The message with the spectrum of a node.
enum SpectrumFrame {
    /// The kind of the frame.
    private static let kind: UInt8 = 3

    /// Returns the message.
    static func message(_ levels: [Double]) -> ByteBuffer {
        var message = ByteBuffer()
        message.reserveCapacity(4 + 2 * levels.count)
        message.writeInteger(kind)
        message.writeInteger(UInt8(0))
        message.writeInteger(UInt16(clamping: levels.count), endianness: .little)
        for level in levels {
            message.writeInteger(ChannelLevels.level(level), endianness: .little)
        }
        return message
    }
}

/// Levels of a list of channels, each with a name, in dB.
private struct ChannelLevels {
    /// The number for silence.
    private static let silence = Int16.min
    /// The level below which a signal is silence, in dB.
    private static let lowestDecibels = -300.0

    private var names: [String] = []
    private var peaks: [Double] = []
    private var rms: [Double] = []

    var count: Int { names.count }

    /// Continues with other channels, if they are others.
    mutating func follow(_ newNames: [String]) {
        guard newNames != names else { return }
        names = newNames
        peaks = Array(repeating: -.infinity, count: names.count)
        rms = peaks
    }

    /// Adds levels by name, and keeps the highest peak.
    ///
    /// - Returns: Whether one belongs to a channel.
    mutating func add(_ levels: [String: SessionInbox.Level]) -> Bool {
        guard !levels.isEmpty else { return false }
        var isNew = false
        for (channel, name) in names.enumerated() {
            guard let level = levels[name] else { continue }
            peaks[channel] = max(peaks[channel], level.peak)
            rms[channel] = level.rms
            isNew = true
        }
        return isNew
    }

    /// Writes the levels, and forgets the peaks.
    mutating func pop(to message: inout ByteBuffer) {
        for channel in names.indices {
            message.writeInteger(Self.level(peaks[channel]), endianness: .little)
            message.writeInteger(Self.level(rms[channel]), endianness: .little)
            peaks[channel] = -.infinity
        }
    }

    /// Returns a level in 1/100 dB.
    static func level(_ decibels: Double) -> Int16 {
        guard decibels > lowestDecibels else { return silence }
        return Int16(clamping: Int((min(decibels, 300) * 100).rounded()))
    }
}
