internal import NIOCore

/// The levels, load and pitch that a page gets in its next binary message.
struct MeterFrame {
    /// The kind of the frame.
    private static let kind: UInt8 = 1
    /// The number for silence.
    private static let silence = Int16.min
    /// The level below which a signal is silence, in dB.
    private static let lowestDecibels = -300.0

    private var ports: [String] = []
    private var peaks: [Double] = []
    private var rms: [Double] = []
    private var load = (mean: 0.0, worst: 0.0)
    private var pitchHertz = 0.0
    /// Whether something was measured since the last frame.
    private(set) var isNew = false

    /// Adds measurements, and keeps the highest peak since the last frame.
    ///
    /// - Parameters:
    ///   - measurements: The measurements.
    ///   - newPorts: The ports of the channels, in order.
    mutating func add(_ measurements: SessionInbox.Measurements, ports newPorts: [String]) {
        if newPorts != ports {
            ports = newPorts
            peaks = Array(repeating: -.infinity, count: ports.count)
            rms = peaks
        }
        for (channel, port) in ports.enumerated() {
            guard let level = measurements.levels[port] else { continue }
            peaks[channel] = max(peaks[channel], level.peak)
            rms[channel] = level.rms
            isNew = true
        }
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
        message.reserveCapacity(12 + 4 * ports.count)
        message.writeInteger(Self.kind)
        message.writeInteger(UInt8(0))
        message.writeInteger(UInt16(clamping: ports.count), endianness: .little)
        let pitch = Float(pitchHertz)
        message.writeInteger((pitch.isFinite ? pitch : 0).bitPattern, endianness: .little)
        message.writeInteger(Self.share(load.mean), endianness: .little)
        message.writeInteger(Self.share(load.worst), endianness: .little)
        for channel in ports.indices {
            message.writeInteger(Self.level(peaks[channel]), endianness: .little)
            message.writeInteger(Self.level(rms[channel]), endianness: .little)
            peaks[channel] = -.infinity
        }
        load.worst = 0
        isNew = false
        return message
    }

    /// Returns a share in 1/10000.
    private static func share(_ share: Double) -> UInt16 {
        guard share.isFinite, share > 0 else { return 0 }
        return UInt16(clamping: Int((min(share, 100) * 10_000).rounded()))
    }

    /// Returns a level in 1/100 dB.
    private static func level(_ decibels: Double) -> Int16 {
        guard decibels > lowestDecibels else { return silence }
        return Int16(clamping: Int((min(decibels, 300) * 100).rounded()))
    }
}
