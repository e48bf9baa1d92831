/// What a recorder's takes are like.
struct TakeStyle: Sendable {
    let name: TakeName
    let bits: Int
    let channelCount: Int
    /// Frames a second.
    let sampleRate: Double
    /// Whether names have the time on the wall; otherwise that of the render.
    let isLive: Bool
    /// Whether files are made at all.
    let isKept: Bool
}
