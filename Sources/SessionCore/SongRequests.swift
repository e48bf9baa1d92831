/// The requests for songs that are answered when a song plays.
struct SongRequests {
    /// Receives the answer to a request.
    typealias Receiver = (Answer) -> Void

    /// The maximum number of waiting requests.
    private static let capacity = 64

    private var waiting: [(song: Int, receiver: Receiver)] = []

    /// Adds a request for a song.
    ///
    /// - Parameters:
    ///   - song: The index of the song.
    ///   - receiver: Receives the answer.
    /// - Returns: The receiver of the oldest request, which has no room any more; `nil` if there is
    ///   room.
    mutating func add(song: Int, _ receiver: @escaping Receiver) -> Receiver? {
        let oldest = waiting.count < Self.capacity ? nil : waiting.removeFirst()
        waiting.append((song, receiver))
        return oldest?.receiver
    }

    /// Removes all requests, and returns them with their songs.
    mutating func removeAll() -> [(song: Int, receiver: Receiver)] {
        defer { waiting = [] }
        return waiting
    }
}
