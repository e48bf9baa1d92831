// The places at which a runner continues.

extension HandOverModel {
    /// The place at which the callback begins a cycle.
    var first: Place { fault == .setsUsedTooLate ? .setTable : .setUsed }

    /// The place at which the callback begins to look for a task.
    var firstSearch: Place { fault == .readsUnfinishedTooLate ? .loadWord : .loadUnfinished }

    /// Returns the places after an operation; several if the time decides.
    func places(
        after old: Runner, in state: State, _ new: State, _ runner: Int
    ) -> [Place] {
        switch old.place {
        case .setUsed, .setTable, .setWaiting, .setUnfinished, .setReady:
            return [placeInNewCycle(old, state)]
        case .loadUnfinished: return [fault == .readsUnfinishedTooLate ? .awaitEnd : .loadWord]
        case .awaitEnd where old.unfinished > 0:
            return [
                firstSearch,
                fault == .announcesSleepTooLate ? .compareUnfinished : .announceSleep,
            ]
        case .awaitEnd: return [new.isEnding ? .ended : first]
        case .announceSleep, .compareUnfinished, .compareSleep, .callbackAsleep, .endSleep:
            return [placeInSleep(old, state)]
        case .loadWord, .clearBit: return [placeInSearch(old, state, new, runner)]
        case .begin, .finish, .release, .makeReady, .countFinished:
            return [placeInTask(old, state, new, runner)]
        case .announce, .countAsleep, .limit, .wakeWorkers:
            return [placeInWake(old, new, runner)]
        case .loadSleep where state.callbackSleep:
            return [fault == .leavesSleepSet ? .wakeCallback : .clearSleep]
        case .clearSleep where state.callbackSleep: return [.wakeCallback]
        case .loadSleep, .clearSleep, .wakeCallback:
            return [fault == .looksForCallbackTooEarly ? .countFinished : .loadWord]
        case .arrive: return [.loadGeneration]
        case .loadGeneration: return [.checkEnding]
        case .checkEnding where state.isEnding: return [.leave]
        case .checkEnding: return [old.isEarly ? .enterSleep : .loadWord]
        case .lookForEnd: return state.unfinished == 0 ? [.enterSleep] : [.enterSleep, .loadWord]
        case .enterSleep: return [.compare]
        case .compare: return [state.generation == old.seen ? .asleep : .leaveSleep]
        case .leaveSleep: return [.loadGeneration]
        case .leave: return [.ended]
        case .asleep: return [.leaveSleep]
        case .ended: return [.ended]
        }
    }

    private func placeInNewCycle(_ old: Runner, _ state: State) -> Place {
        let hasOneRoot = rootCount(state.cycle) == 1
        switch (old.place, fault) {
        case (.setUsed, .setsUsedTooLate): return firstSearch
        case (.setUsed, .publishesTooEarly): return .setWaiting
        case (.setUsed, _): return .setTable
        case (.setTable, .publishesTooEarly): return hasOneRoot ? firstSearch : .announce
        case (.setTable, _): return .setWaiting
        case (.setWaiting, _): return .setUnfinished
        case (.setUnfinished, _): return .setReady
        case (_, _) where old.word + 1 < state.ready.count: return .setReady
        case (_, .publishesTooEarly): return .setTable
        case (_, _) where hasOneRoot: return placeAfterWake(old, 0)
        case (_, .looksForSleepersTooEarly): return .countAsleep
        default: return .announce
        }
    }

    private func placeInSleep(_ old: Runner, _ state: State) -> Place {
        switch (old.place, fault) {
        case (.announceSleep, .announcesSleepTooLate), (.announceSleep, .comparesNothing):
            return .compareSleep
        case (.announceSleep, _): return .compareUnfinished
        case (.compareUnfinished, _) where state.unfinished != old.unfinished: return .endSleep
        case (.compareUnfinished, .announcesSleepTooLate): return .announceSleep
        case (.compareUnfinished, _): return .compareSleep
        case (.compareSleep, _): return state.callbackSleep ? .callbackAsleep : .endSleep
        // The time of the sleep is over.
        case (.callbackAsleep, _): return .endSleep
        default: return firstSearch
        }
    }

    private func placeInSearch(
        _ old: Runner, _ state: State, _ new: State, _ runner: Int
    ) -> Place {
        let my = new.runners[runner]
        if old.place == .clearBit, my.task >= 0 { return .begin }
        if my.bits != 0 { return .clearBit }
        if old.word + 1 < state.ready.count { return .loadWord }
        if runner > 0 { return .lookForEnd }
        return fault == .readsUnfinishedTooLate ? .loadUnfinished : .awaitEnd
    }

    private func placeInTask(
        _ old: Runner, _ state: State, _ new: State, _ runner: Int
    ) -> Place {
        let successors = successorCount(old, state)
        switch old.place {
        case .begin: return .finish
        case .finish where fault == .countsTooEarly: return .countFinished
        case .finish: return successors > 0 ? .release : placeBeforeCount(runner)
        case .countFinished where fault == .countsTooEarly && successors > 0: return .release
        case .countFinished: return placeAfterCount(runner)
        case .release: return .makeReady
        case _ where old.successor + 1 < successors: return .release
        case _ where new.runners[runner].made > 1 && fault != .wakesNobodyLater:
            return fault == .looksForSleepersTooEarlyLater ? .countAsleep : .announce
        default: return placeAfterWake(old, runner)
        }
    }

    private func placeInWake(_ old: Runner, _ new: State, _ runner: Int) -> Place {
        // The callback wakes workers at the start of a cycle, when it owns no task.
        let error: Fault =
            old.task < 0 ? .looksForSleepersTooEarly : .looksForSleepersTooEarlyLater
        let looksTooEarly = fault == error
        switch old.place {
        case .announce: return looksTooEarly ? .wakeWorkers : .countAsleep
        case .countAsleep: return .limit
        case .limit where looksTooEarly: return .announce
        case .limit where new.runners[runner].wanted > 0: return .wakeWorkers
        default: return placeAfterWake(old, runner)
        }
    }

    private func placeAfterWake(_ old: Runner, _ runner: Int) -> Place {
        guard old.task < 0 else {
            return fault == .countsTooEarly ? placeAfterCount(runner) : placeBeforeCount(runner)
        }
        return fault == .setsUsedTooLate ? .setUsed : firstSearch
    }

    private func placeBeforeCount(_ runner: Int) -> Place {
        runner > 0 && fault == .looksForCallbackTooEarly ? .loadSleep : .countFinished
    }

    private func placeAfterCount(_ runner: Int) -> Place {
        guard runner > 0 else { return firstSearch }
        return fault == .wakesNoCallback || fault == .looksForCallbackTooEarly
            ? .loadWord : .loadSleep
    }

    private func successorCount(_ runner: Runner, _ state: State) -> Int {
        guard runner.task >= 0, state.cycle < graphs.count,
            runner.task < graphs[state.cycle].count
        else { return 0 }
        return graphs[state.cycle][runner.task].count
    }

    /// Returns a state with the positions that its places start from, so that equal states compare
    /// as equal.
    func normalized(_ state: State, from old: State, runner: Int) -> State {
        var new = state
        let (before, after) = (old.runners[runner].place, new.runners[runner].place)
        switch (before, after) {
        case (.loadWord, .loadWord), (.clearBit, .loadWord): new.runners[runner].word += 1
        case (.setReady, .setReady): break
        case (_, .loadWord), (_, .setReady), (_, .begin): new.runners[runner].word = 0
        case (.makeReady, .release): new.runners[runner].successor += 1
        case (.finish, _), (.countFinished, .release): new.runners[runner].successor = 0
        default: break
        }
        if endsTask(after) { forgetTask(&new.runners[runner]) }
        switch after {
        case .begin, .loadUnfinished, .endSleep: new.runners[runner].unfinished = 0
        case .leaveSleep: new.runners[runner].seen = 0
        default: break
        }
        return new
    }

    /// Returns whether a runner at a place owns no task, and has no position that matters.
    private func endsTask(_ place: Place) -> Bool {
        switch place {
        case .loadWord, .loadUnfinished, .awaitEnd, .lookForEnd, .enterSleep: true
        case .loadSleep: fault != .looksForCallbackTooEarly
        default: false
        }
    }

    private func forgetTask(_ runner: inout Runner) {
        // The word is the position in a search.
        let word = runner.place == .loadWord ? runner.word : 0
        let kept = runner
        runner = Runner(place: kept.place, word: word)
        (runner.seen, runner.unfinished) = (kept.seen, kept.unfinished)
        (runner.earlyWakeUps, runner.isEarly) = (kept.earlyWakeUps, kept.isEarly)
        runner.isNeeded = kept.isNeeded
    }
}
