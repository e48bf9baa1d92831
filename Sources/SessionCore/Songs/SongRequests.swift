/// The requests for songs, and the answers to them.
///
/// A request for a song that is not ready waits until a song plays. Its answer names that song,
/// because a later request may have overtaken it.
final class SongRequests {
    /// Receives the later answer to a request.
    typealias Receiver = (Answer) -> Void

    private struct WaitingRequest {
        let song: Int
        let receiver: Receiver
    }

    /// The maximum number of waiting requests.
    private static let capacity = 64

    private let current: CurrentSong
    private let transitions: ScheduleTransitions
    private var waiting: [WaitingRequest] = []

    /// Creates a part of a session without waiting requests.
    ///
    /// - Parameters:
    ///   - current: The song that plays.
    ///   - transitions: Plays requested songs.
    init(current: CurrentSong, transitions: ScheduleTransitions) {
        self.current = current
        self.transitions = transitions
    }

    // MARK: Requests

    /// Requests a song.
    ///
    /// A request for the current song cancels earlier requests, and answers them.
    ///
    /// - Parameter index: The index of the song.
    /// - Returns: Whether another song must be prepared or played.
    func request(song index: Int) -> Bool {
        guard index != current.list.index else {
            transitions.request(song: nil)
            answerAll()
            return false
        }
        transitions.request(song: index)
        current.allowPreparation(of: index)
        return true
    }

    /// Returns the first answer to a request for a song.
    ///
    /// - Parameters:
    ///   - index: The index of the requested song.
    ///   - later: Receives the final answer if the first one is `Answer.preparing`.
    /// - Returns: The song that plays, or the one that is prepared.
    func answer(forSong index: Int, _ later: Receiver?) -> Answer {
        guard transitions.requestedSong == index else { return playing }
        if let later { wait(for: index, later) }
        return .preparing(song: current.list.songs[index].name)
    }

    /// Adds a waiting request; refuses the oldest one if there is no room.
    private func wait(for song: Int, _ receiver: @escaping Receiver) {
        let oldest = waiting.count < Self.capacity ? nil : waiting.removeFirst()
        waiting.append(WaitingRequest(song: song, receiver: receiver))
        oldest?.receiver(.refused("too many later requests wait for a song", suggestion: nil))
    }

    // MARK: Answers

    /// Answers all waiting requests with the song that plays now.
    func answerAll() {
        for request in removeAll() { request.receiver(playing) }
    }

    /// Refuses the requests for a song that cannot be prepared, and answers the others with the
    /// song that plays.
    ///
    /// All of them continue to wait if another song is requested.
    ///
    /// - Parameters:
    ///   - song: The index of the song that cannot be prepared.
    ///   - reason: The reason, a sentence without its full stop.
    func answerAll(refusing song: Int, _ reason: String) {
        guard transitions.requestedSong == nil else { return }
        for request in removeAll() {
            request.receiver(
                request.song == song ? .refused(reason, suggestion: nil) : playing)
        }
    }

    /// Refuses all waiting requests.
    ///
    /// - Parameter reason: A sentence without its full stop.
    func refuseAll(_ reason: String) {
        for request in removeAll() { request.receiver(.refused(reason, suggestion: nil)) }
    }

    /// Removes the requests before they are answered, because a receiver may request a song.
    private func removeAll() -> [WaitingRequest] {
        defer { waiting = [] }
        return waiting
    }

    /// The answer that names the song that plays.
    private var playing: Answer { .playing(song: current.song.name) }
}
