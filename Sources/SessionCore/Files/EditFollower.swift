internal import Engine
internal import Pipelines

/// Applies edited files to the session: remaining nodes continue, new ones fade in, removed ones ring
/// out.
///
/// Values that an edit changes move to the new values. Values that were changed live and are not
/// edited remain.
final class EditFollower {
    private let current: CurrentSong
    private let pool: SchedulePool
    private let transitions: ScheduleTransitions
    private let runner: TransitionRunner
    private let songRequests: SongRequests
    private let problems: ProblemReporter
    private let events: EventStream

    init(
        current: CurrentSong, pool: SchedulePool, transitions: ScheduleTransitions,
        runner: TransitionRunner, songRequests: SongRequests, problems: ProblemReporter,
        events: EventStream
    ) {
        self.current = current
        self.pool = pool
        self.transitions = transitions
        self.runner = runner
        self.songRequests = songRequests
        self.problems = problems
        self.events = events
    }

    /// Applies edited files.
    ///
    /// - Parameters:
    ///   - edited: All songs after the edit, at least one.
    ///   - kept: The texts of addresses that keep their live values because the session itself has
    ///     edited them in the file; `nil` for an edit by the user or another program.
    /// - Returns: Whether the edit plays now, later or never.
    @discardableResult
    func follow(
        _ edited: SongCollection, keeping kept: Set<String>? = nil
    ) -> FileEditRequests.Course {
        defer { problems.announce() }
        guard edited.songs != current.list.songs else {
            guard edited != current.list.collection else { return .active }
            if edited.keepsValues != current.list.keepsValues { forgetReadySongs() }
            current.follow(unchangedSongsOf: edited)
            return .active
        }
        let neededPorts: EnginePorts
        do throws(PreparationError) {
            neededPorts = try runner.ports.with(edited.songs)
        } catch {
            events.publish(.preparationFailed(message: error.message))
            return .failed(error.message)
        }
        let index = current.list.index(among: edited.songs)
        let (old, new) = (current.pipeline, edited.songs[index].pipeline)
        forgetSongs(editedInto: edited, keeping: kept)
        current.replaceList(with: edited)
        runner.use(neededPorts)
        if new != old { follow(new, insteadOf: old, keeping: kept) }
        runner.prepareNext()
        // The values that the session has saved sound already.
        return kept == nil && current.hasUnannouncedEdit ? .preparing : .active
    }

    private func follow(
        _ new: Pipeline, insteadOf old: Pipeline, keeping kept: Set<String>?
    ) {
        let wanted = current.beginEdit(of: old, into: new, keeping: kept)
        // The edit may have repaired what the settings of a scene refer to.
        pool.active.variants.forgetFailures()
        if !transitions.isPreparingEdit, wanted.differsOnlyInValues(from: pool.active.pipeline) {
            current.moveValues(to: wanted)
            transitions.withdrawEdit()
            current.finishEdit()
        } else {
            transitions.request(wanted, values: current.values.snapshot)
        }
    }

    // MARK: Ready songs

    /// Removes the ready songs that an edit changes; after an edit by the user, all of them.
    private func forgetSongs(editedInto edited: SongCollection, keeping kept: Set<String>?) {
        guard kept != nil, edited.hasSameList(as: current.list.collection) else {
            return forgetReadySongs()
        }
        let songs = current.list.songs
        transitions.forgetEditedSongs(
            except: songs.indices.filter { songs[$0] == edited.songs[$0] })
    }

    /// Removes the ready songs, which were prepared for the old files, and refuses requested ones.
    private func forgetReadySongs() {
        transitions.forgetSongs()
        songRequests.refuseAll("the songs were edited before it was ready; request it again")
    }
}
