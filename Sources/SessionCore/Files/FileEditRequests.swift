internal import Pipelines

/// The requests to save values or undo a save, and the edit of a song's file that the host carries
/// out for them.
///
/// One edit is carried out at a time; a request during it is refused. The session's thread uses it.
final class FileEditRequests {
    /// Receives the final answer to a request.
    typealias Receiver = (Answer) -> Void

    private let current: CurrentSong
    private let events: EventStream
    private var lastNumber = 0
    private var pending: (number: Int, receiver: Receiver?)?

    init(current: CurrentSong, events: EventStream) {
        self.current = current
        self.events = events
    }

    /// Orders the host to write the live values into the song's file.
    ///
    /// - Parameters:
    ///   - destination: The destination of the values.
    ///   - origin: The origin of the request.
    ///   - receiver: Receives the final answer; `nil` if no client waits for it.
    /// - Returns: `Answer.pending`, or the reason for refusing.
    func save(
        into destination: SongSave.Destination, from origin: RequestOrigin,
        _ receiver: Receiver?
    ) -> Answer {
        guard !current.isHearingSaved else {
            return .refused(
                "the saved values sound; compare again to hear the live ones, then save them",
                suggestion: nil)
        }
        do {
            let save = try SongSave(
                of: current.song, current.values, scene: current.list.scene, into: destination,
                from: origin)
            return order(.save(save), receiver)
        } catch {
            return .refused(error.message, suggestion: error.suggestion)
        }
    }

    /// Orders the host to restore the file that was edited last.
    ///
    /// - Parameter receiver: Receives the final answer; `nil` if no client waits for it.
    /// - Returns: `Answer.pending`, or the reason for refusing.
    func undo(_ receiver: Receiver?) -> Answer { order(.undo, receiver) }

    private func order(_ task: FileEditOrder.Task, _ receiver: Receiver?) -> Answer {
        guard pending == nil else {
            return .refused("an earlier request still edits a file; try again", suggestion: nil)
        }
        lastNumber += 1
        pending = (lastNumber, receiver)
        events.publish(.fileEditRequested(FileEditOrder(number: lastNumber, task: task)))
        return .pending
    }

    /// Ends an edit, and answers its request.
    ///
    /// - Parameters:
    ///   - number: The number of the order; another number than the pending one is ignored.
    ///   - result: The result of the edit.
    ///   - follow: Follows the edited file before the answer.
    func finish(_ number: Int, _ result: FileEditResult, follow: (FileEdit) -> Void) {
        guard let ended = pending, ended.number == number else { return }
        pending = nil
        switch result {
        case .done(let edit):
            follow(edit)
            if case .saved(let scene?) = edit.kind, edit.path == current.song.path {
                current.adoptScene(scene)
            }
            events.publish(.fileEdited(edit))
            ended.receiver?(.edited(edit))
        case .refused(let reason):
            if ended.receiver == nil { events.publish(.fileEditRefused(reason: reason)) }
            ended.receiver?(.refused(reason, suggestion: nil))
        }
    }

    /// Replaces the requests of a session that has stopped, and refuses its pending one.
    ///
    /// The numbers continue, so that late results of its edits are recognised.
    func replace(_ former: FileEditRequests) {
        lastNumber = max(lastNumber, former.lastNumber)
        former.pending?.receiver?(.refused("another session plays now", suggestion: nil))
    }
}
