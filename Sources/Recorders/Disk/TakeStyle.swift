/// The name, the format and the target of a recorder's takes.
struct TakeStyle: Sendable {
    let name: TakeName
    let bits: Int
    let channelCount: Int
    /// The sample rate in Hz.
    let sampleRate: Double
    /// Whether names contain the system's time; otherwise the time of the render.
    let isLive: Bool
    /// Whether files are written at all.
    let isKept: Bool
    /// The space that stays free on the disk, in bytes.
    let keptFreeBytes: Int
}
