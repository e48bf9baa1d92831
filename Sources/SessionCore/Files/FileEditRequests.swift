internal import Pipelines

/// The requests to read and edit the files that play, which the host carries out.
///
/// One edit is carried out at a time; a request during it is refused. An edit of a song ends when it
/// plays. If it cannot be prepared, the host restores the file. The session's thread uses this.
final class FileEditRequests {
    /// Receives the final answer to a request.
    typealias Receiver = (Answer) -> Void

    /// The next step after an edit of a file.
    enum Course: Equatable {
        /// The edit plays, or concerns nothing that plays.
        case active
        /// The edited song is being prepared; `endEdit` follows.
        case preparing
        /// The edit cannot play, for this reason.
        case failed(String)
    }

    /// An edit whose request is not answered yet.
    private struct Pending {
        var number: Int
        let receiver: Receiver?
        /// The edit of the file, while the session prepares it.
        var prepared: FileEdit?
        /// The reason why the file is being restored.
        var failure: String?
    }

    /// The largest number of files that are being read.
    private static let mostReads = 64

    private let current: CurrentSong
    private let events: EventStream
    private var lastNumber = 0
    private var pending: Pending?
    private var reads: [Int: Receiver] = [:]
    /// The files that play, as the host has announced them.
    private(set) var files = SessionFiles()

    init(current: CurrentSong, events: EventStream) {
        self.current = current
        self.events = events
        current.onEditEnd = { [unowned self] in endEdit($0) }
    }

    // MARK: Requests

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

    /// Orders the host to carry out an edit that is not a save: a patch, `undo` or `redo`.
    ///
    /// - Parameters:
    ///   - task: The edit.
    ///   - receiver: Receives the final answer; `nil` if no client waits for it.
    /// - Returns: `Answer.pending`, or the reason for refusing.
    func order(_ task: FileEditOrder.Task, _ receiver: Receiver?) -> Answer {
        guard pending == nil else {
            return .refused("an earlier request still edits a file; try again", suggestion: nil)
        }
        publish(task) { pending = Pending(number: $0, receiver: receiver) }
        return .pending
    }

    /// Orders the host to read a file that plays.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - receiver: Receives the final answer.
    /// - Returns: `Answer.pending`, or the reason for refusing.
    func read(_ path: String, _ receiver: Receiver?) -> Answer {
        guard reads.count < Self.mostReads else {
            return .refused("too many files are being read; try again", suggestion: nil)
        }
        publish(.read(path)) { reads[$0] = receiver ?? { _ in } }
        return .pending
    }

    /// Publishes an order.
    ///
    /// - Parameters:
    ///   - task: The task.
    ///   - begin: Called with the number of the order before it is published.
    private func publish(_ task: FileEditOrder.Task, begin: (Int) -> Void) {
        lastNumber += 1
        begin(lastNumber)
        events.publish(.fileEditRequested(FileEditOrder(number: lastNumber, task: task)))
    }

    // MARK: Results

    /// Ends an order, and answers its request unless the edit is still to be prepared.
    ///
    /// - Parameters:
    ///   - number: The number of the order; an unknown one is ignored.
    ///   - result: The result of the edit.
    ///   - follow: Follows the edited file before the answer.
    func finish(
        _ number: Int, _ result: FileEditResult, follow: (FileEdit) -> Course
    ) {
        if let receiver = reads.removeValue(forKey: number) {
            return receiver(Self.answer(toRead: result))
        }
        guard let ended = pending, ended.number == number else { return }
        if let failure = ended.failure { return finishRestoring(ended, failure, result, follow) }
        switch result {
        case .done(let edit):
            switch follow(edit) {
            case .active: conclude(ended, edit)
            case .preparing: pending?.prepared = edit
            case .failed(let reason): restore(reason)
            }
        case .refused(let reason): refuse(ended, reason, .refused(reason, suggestion: nil))
        case .failed(let refusal): refuse(ended, refusal.message, .notEdited(refusal))
        case .read:
            let reason = "the file was not edited"
            refuse(ended, reason, .refused(reason, suggestion: nil))
        }
    }

    private static func answer(toRead result: FileEditResult) -> Answer {
        switch result {
        case .read(let content): .file(content)
        case .refused(let reason): .refused(reason, suggestion: nil)
        case .done, .failed: .refused("the file was not read", suggestion: nil)
        }
    }

    private func conclude(_ ended: Pending, _ edit: FileEdit) {
        pending = nil
        if case .saved(let scene?) = edit.kind, edit.path == current.song.path {
            current.adoptScene(scene)
        }
        events.publish(.fileEdited(edit))
        ended.receiver?(.edited(edit))
    }

    /// Ends an edit without a change; the reason is published if no client waits for an answer.
    private func refuse(_ ended: Pending, _ reason: String, _ answer: Answer) {
        pending = nil
        if ended.receiver == nil { events.publish(.fileEditRefused(reason: reason)) }
        ended.receiver?(answer)
    }

    // MARK: Preparation

    /// Handles the end of the preparation of an edited song.
    private func endEdit(_ end: CurrentSong.EditEnd) {
        guard let waiting = pending, let edit = waiting.prepared else { return }
        switch end {
        case .over: conclude(waiting, edit)
        case .failed(let reason): restore(reason)
        }
    }

    /// Orders the host to restore the file, because the edit cannot play.
    private func restore(_ reason: String) {
        pending?.prepared = nil
        pending?.failure = reason
        publish(.restore) { pending?.number = $0 }
    }

    private func finishRestoring(
        _ ended: Pending, _ failure: String, _ result: FileEditResult,
        _ follow: (FileEdit) -> Course
    ) {
        var message = "the edit cannot play: \(failure)"
        switch result {
        case .done(let edit):
            _ = follow(edit)
            message += "; the file is as it was before"
        case .refused(let reason): message += "; the file keeps it: \(reason)"
        case .failed, .read: break
        }
        refuse(ended, message, .notEdited(FileEditRefusal(.unprepared, message)))
    }

    // MARK: State

    /// Adopts the files that the host announces, and publishes what has changed.
    func follow(_ new: SessionFiles) {
        let old = files
        files = new
        if new.files != old.files { events.publish(.filesChanged(new.files)) }
        guard new.history != old.history else { return }
        for (address, name) in zip(
            SessionFiles.History.addresses, [new.history.undo, new.history.redo])
        {
            events.publish(address, .text(name ?? ""))
        }
        events.publish(.historyChanged(new.history))
    }

    /// Replaces the requests of a session that has stopped, and refuses its pending ones.
    ///
    /// The numbers continue, so that late results of its edits are recognised.
    func replace(_ former: FileEditRequests) {
        lastNumber = max(lastNumber, former.lastNumber)
        let refusal = Answer.refused("another session plays now", suggestion: nil)
        former.pending?.receiver?(refusal)
        for receiver in former.reads.values { receiver(refusal) }
        former.pending = nil
        former.reads = [:]
    }
}
