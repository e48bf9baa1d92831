internal import CRealtime
internal import Processing
internal import Realtime

// Applies the changes that MIDI and commands request.

extension EngineCore {
    /// The ramp time of mute and master gain.
    private static var levelSeconds: Float { @_noLocks get { 0.02 } }
    /// The time from a panic command to silence.
    private static var silenceSeconds: Float { @_noLocks get { 0.008 } }

    // MARK: MIDI

    /// Applies the bindings of the MIDI messages in this piece.
    @_noLocks
    mutating func applyBoundChanges(_ frames: Int) {
        bindings.note(.tempo, Float(clock.ownTempo))
        let count = bindings.evaluate(messages.messages, messages.inputCount, frames: frames)
        // Later changes override the changes of the scene that is being applied.
        if count > 0 { applyCrossfadeValues(frame: 0) }
        for index in 0..<count {
            let change = bindings.changes[index]
            switch change.node {
            case BoundChange.scene where needsExchange(scene: Int(change.target)):
                follows.cancel()
                send(.sceneRequested(change.target))
            case BoundChange.scene:
                applyFollows(before: change.frame)
                apply(scene: Int(change.target), frame: change.frame)
                send(.sceneApplied(change.target))
            case BoundChange.song: send(.songRequested(change.target))
            case BoundChange.command: send(.commandRequested(change.target))
            case BoundChange.step: send(.stepRequested(binding: change.target))
            case BoundChange.master: applyMaster(change)
            default:
                set(change.node, change.target, change.value, frame: change.frame)
                _ = reports.push(
                    .boundValueChanged(
                        node: change.node, target: change.target, value: change.value))
            }
        }
    }

    /// Applies a value of the whole session, levels at the frame of the change.
    @_noLocks
    private mutating func applyMaster(_ change: BoundChange) {
        switch change.target {
        case MasterTarget.gain.rawValue:
            setMasterGain(decibels: change.value, frame: change.frame)
        case MasterTarget.mute.rawValue: mute(change.value >= 0.5, frame: change.frame)
        default:
            clock.setTempo(Double(change.value))
            bindings.note(.tempo, Float(clock.ownTempo))
            // A MIDI clock owns the tempo.
            guard !clock.isSteered else { return }
        }
        _ = reports.push(
            .boundValueChanged(node: change.node, target: change.target, value: change.value))
    }

    @_noLocks
    private mutating func setMasterGain(decibels: Float, frame: Int32) {
        bindings.note(.gain, decibels)
        outputStage.setMaster(
            Float(Decibels(Double(decibels)).amplitude),
            frames: playing.rate.frames(seconds: Self.levelSeconds), from: frame)
    }

    @_noLocks
    private mutating func mute(_ isOn: Bool, frame: Int32) {
        bindings.note(.mute, isOn ? 1 : 0)
        outputStage.mute(
            isOn, frames: playing.rate.frames(seconds: Self.levelSeconds), from: frame)
    }

    // MARK: Commands

    /// Applies schedule exchanges at the front of the command ring.
    @_noLocks
    mutating func applyExchanges() {
        while case .exchange(let handle, let manner)? = commands.peek() {
            guard unfreedHandle == 0 else { return }
            // An exchange that has to wait ends a tail, so the first attempt counts.
            if captured.isOn, captured.lastExchange != handle {
                captured.lastExchange = handle
                capture(.exchange(handle: handle, manner))
            }
            guard exchange(handle, manner) else { return }
            captured.lastExchange = 0
            _ = commands.pop()
        }
    }

    /// Activates a schedule; returns false if it has to wait.
    @_noLocks
    private mutating func exchange(_ handle: UInt, _ manner: Command.Exchange) -> Bool {
        guard let arrived = PlayingSchedule(handle: handle) else { return true }
        let old = schedules.playing
        switch manner {
        case .splice:
            schedules.splice(arrived)
            fades.followSplice()
            sendMessages(ofScenesIn: arrived.core.pointee)
            unfreedHandle = old.handle
        case .outerSong(let scene):
            schedules.splice(arrived)
            fades.followSplice()
            sender.startSong(
                arrived.core.pointee.messages, scene: Int(scene), dueFrame: frame)
            unfreedHandle = old.handle
        case .ringOut(let tailFrames):
            guard schedules.push(arrived, tailFrames: tailFrames) else { return false }
            fades.clear()
        case .song(let tailFrames, let scene):
            guard schedules.push(arrived, tailFrames: tailFrames) else { return false }
            fades.clear()
            sender.startSong(
                arrived.core.pointee.messages, scene: Int(scene), dueFrame: frame)
        case .replace:
            fades.clear()
            schedules.replace(arrived)
            unfreedHandle = old.handle
        }
        let (new, former) = (arrived.core.pointee, old.core.pointee)
        if new.clockInput != former.clockInput
            || new.rate.sampleRate != former.rate.sampleRate
        {
            clockFollower.reset(sampleRate: Double(new.rate.sampleRate))
            clock.endSteering()
        }
        clock.follow(new, after: former)
        outputStage.follow(arrived.core.pointee)
        meters.follow(arrived.core.pointee.rate.meters)
        sentTempo = 0
        bindings.follow(arrived.core.pointee.bindings, arrived.core.pointee.values)
        follows.follow(arrived.core.pointee, after: old.core.pointee, at: frame)
        hasReportedSplice = arrived.core.pointee.transition.pointee.isOver
        // A schedule that was replaced before it ran no longer needs its values.
        events.clear()
        let entry = arrived.core.pointee.valuesAtStart
        for index in 0..<entry.count {
            let change = entry.changes[index]
            events.add(node: change.node, target: change.target, value: change.value, frame: 0)
        }
        awaitsCrossfade = arrived.core.pointee.valuesAtCrossfade.count > 0
        levelScene = -1
        switch manner {
        case .splice: followLevels(arrived.core.pointee, after: old.core.pointee)
        case .outerSong:
            arrived.core.pointee.levels.followSong(old.core.pointee.levels)
        case .ringOut, .replace:
            // The same song plays again, with other nodes.
            if case .unchanged = arrived.core.pointee.firstScene {
                followLevels(arrived.core.pointee, after: old.core.pointee)
            }
        case .song: break
        }
        hasUnreportedHalts = true
        _ = reports.push(.exchanged)
        retire()
        return true
    }

    /// Sends the messages of the scenes that begin together with a schedule.
    @_noLocks
    private mutating func sendMessages(ofScenesIn core: ScheduleCore) {
        guard let scenes = core.sentScenes else { return }
        for index in 0..<core.sentSceneCount {
            sender.startScene(core.messages, Int(scenes[index]), dueFrame: frame)
        }
    }

    /// Pops the commands that are due in the next frames, and delivers them to their nodes.
    @_noLocks
    mutating func applyCommands(_ frames: Int) {
        var earliest = 0
        while !events.isFull, let command = commands.peek() {
            switch command {
            case .set(let node, let target, let value, let due):
                if due >= frame &+ UInt64(frames) { return }
                earliest = max(earliest, due > frame ? Int(due - frame) : 0)
                applyCrossfadeValues(frame: Int32(earliest))
                set(node, target, value, frame: Int32(earliest))
            case .fade(let node, let target, let value, let fade, let due):
                if due >= frame &+ UInt64(frames) { return }
                earliest = max(earliest, due > frame ? Int(due - frame) : 0)
                applyCrossfadeValues(frame: Int32(earliest))
                start(fade, node, target, value, frame: Int32(earliest))
            case .sceneLevel(let index, let due):
                if due >= frame &+ UInt64(frames) { return }
                earliest = max(earliest, due > frame ? Int(due - frame) : 0)
                moveLevel(toScene: Int(index), frame: Int32(clamping: earliest))
            case .scene(let index):
                applyFollows(before: Int32(clamping: earliest))
                applyCrossfadeValues(frame: Int32(earliest))
                apply(scene: Int(index), frame: Int32(earliest))
                bindings.sendAll()
            // The exchange takes place at the start of the next piece.
            case .exchange: return
            default: perform(command)
            }
            if captured.isOn { capture(command) }
            _ = commands.pop()
        }
    }

    /// Applies a scene; the scene that follows it replaces the one that would have followed before.
    @_noLocks
    private mutating func apply(scene: Int, frame: Int32) {
        guard scene >= 0, scene < playing.sceneCount else { return }
        let dueFrame = self.frame &+ UInt64(max(0, frame))
        follows.begin(Int32(scene), at: dueFrame, of: playing)
        sender.startScene(playing.messages, scene, dueFrame: dueFrame)
        start(playing.scenes[scene], frame: frame)
        moveLevel(toScene: scene, frame: frame)
    }

    /// Moves the level of the song to the gain of a scene; -1 for no scene.
    @_noLocks
    private func moveLevel(toScene index: Int, frame: Int32) {
        guard index < playing.sceneCount else { return }
        let levels = playing.levels
        guard index >= 0 else {
            return levels.begin(
                0, playing.valuesAtStart.gainFade, sceneKey: 0, at: Int(frame), playing.rate)
        }
        let scene = playing.scenes[index]
        levels.begin(
            scene.gainDecibels, scene.gainFade, sceneKey: scene.key, at: Int(frame), playing.rate)
    }

    /// Continues with the levels of a schedule that is replaced.
    ///
    /// The level of the song moves to the gain of the scene that begins with the new schedule, or to
    /// the edited gain of the scene in effect.
    @_noLocks
    private mutating func followLevels(_ new: ScheduleCore, after former: ScheduleCore) {
        new.levels.follow(former.levels)
        switch new.firstScene {
        case .noScene: moveLevel(toScene: -1, frame: 0)
        case .scene(let index):
            guard new.levels.areUsed else { return moveLevel(toScene: Int(index), frame: 0) }
            // The values of the scene apply when the crossfade begins, and so does its gain.
            levelScene = index
            awaitsCrossfade = true
        case .unchanged:
            let level = new.levels.own.pointee
            var decibels: Float = 0
            for index in 0..<new.sceneCount where new.scenes[index].key == level.sceneKey {
                decibels = new.scenes[index].gainDecibels
            }
            guard decibels != level.targetDecibels else { return }
            new.levels.begin(
                decibels, new.valuesAtStart.gainFade, sceneKey: level.sceneKey, at: 0, new.rate)
        }
    }

    /// The maximum number of scenes that follow one another in one piece; further ones are late.
    private static var mostFollows: Int { @_noLocks get { 256 } }

    /// Applies the scenes that follow automatically before a frame of this piece, each at its
    /// frame.
    ///
    /// The session applies a scene that changes settings.
    @_noLocks
    mutating func applyFollows(before end: Int32) {
        for _ in 0..<Self.mostFollows {
            guard !events.isFull, let due = follows.due(before: frame &+ UInt64(max(0, end)))
            else { return }
            if needsExchange(scene: Int(due.scene)) {
                follows.cancel()
                send(.sceneRequested(due.scene))
                return
            }
            let first = due.frame > frame ? Int32(clamping: due.frame - frame) : 0
            applyCrossfadeValues(frame: first)
            apply(scene: Int(due.scene), frame: first)
            bindings.sendAll()
            send(.sceneApplied(due.scene))
        }
    }

    @_noLocks
    private mutating func start(_ values: ScheduleCore.SceneCore, frame: Int32) {
        for index in 0..<values.count {
            let change = values.changes[index]
            start(change.fade, change.node, change.target, change.value, frame: frame)
        }
    }

    @_noLocks
    private func needsExchange(scene: Int) -> Bool {
        scene >= 0 && scene < playing.sceneCount && playing.scenes[scene].needsExchange
    }

    /// Applies the values that wait for the crossfade of the current schedule, if any.
    @_noLocks
    private mutating func applyCrossfadeValues(frame: Int32) {
        guard awaitsCrossfade else { return }
        awaitsCrossfade = false
        start(playing.valuesAtCrossfade, frame: frame)
        if levelScene >= 0 { moveLevel(toScene: Int(levelScene), frame: frame) }
        levelScene = -1
        bindings.sendAll()
    }

    /// Applies the values that wait for the crossfade if it begins in this piece.
    @_noLocks
    mutating func applyCrossfadeValues(whenDueIn frames: Int) {
        guard awaitsCrossfade else { return }
        let wait = playing.transition.pointee.framesToCrossfade
        if wait < frames { applyCrossfadeValues(frame: Int32(wait)) }
    }

    /// Sets a value of a node at a frame of this piece; a fade of the value ends.
    @_noLocks
    private mutating func set(_ node: Int32, _ target: Int32, _ value: Float, frame: Int32) {
        guard node >= 0, Int(node) < playing.nodeCount else { return }
        let step = playing.nodes[Int(node)]
        if step.pointee.has(target) {
            advanceFades(to: Int(frame))
            fades.interrupt(step, target)
            // A fade may start later in this piece.
            step.pointee.store(target, value)
        }
        events.add(node: node, target: target, value: value, frame: frame)
    }

    /// Starts a fade of a value of a node at a frame of this piece.
    @_noLocks
    private mutating func start(
        _ fade: Fade, _ node: Int32, _ target: Int32, _ value: Float, frame: Int32
    ) {
        guard node >= 0, Int(node) < playing.nodeCount else { return }
        let step = playing.nodes[Int(node)]
        let frames = fade.frames(sampleRate: playing.rate.sampleRate)
        guard frames > 0, step.pointee.has(target) else {
            return set(node, target, value, frame: frame)
        }
        advanceFades(to: Int(frame))
        let start = self.frame &+ UInt64(max(0, frame))
        let fading = FadingValue(
            fade, from: fades.origin(step, target, at: start), to: value, frames: frames)
        guard !fades.start(fading, node: step, target: target, at: start) else { return }
        // There is no room for another fade.
        set(node, target, value, frame: frame)
        _ = reports.push(
            .fading(node: node, target: target, value: value, goal: value, isOver: true))
    }

    /// Carries out a command that concerns the engine as a whole.
    @_noLocks
    private mutating func perform(_ command: Command) {
        let rate = playing.rate
        switch command {
        case .tempo(let beatsPerMinute): clock.setTempo(beatsPerMinute)
        case .roundTrip(let frames):
            roundTripFrames = frames
            sentTempo = 0
        case .fadeIn(let seconds):
            outputStage.fade(to: 1, frames: rate.frames(seconds: seconds))
            sender.endWait()
        case .fadeOut(let seconds) where seconds > 0:
            sender.endNotes(dueFrame: frame)
            outputStage.fade(to: 0, frames: rate.frames(seconds: seconds))
        case .fadeOut:
            outputStage.fade(to: 0, frames: 0)
            // Either nothing was audible before, or the signal was cut off abruptly.
            schedules.rampInputsUp()
        case .cancelFollow: follows.cancel()
        case .sceneMessages(let index):
            sender.startScene(playing.messages, Int(index), dueFrame: frame)
        case .endTails: schedules.endTails()
        case .monitor(let slot): inputMonitor.listen(slot: Int(slot))
        case .learn(let isOn): bindings.listen(isOn)
        case .tap(let slot, let node):
            if (0..<Int32(TapBuffers.count)).contains(slot) { taps[Int(slot)] = node }
        case .levelRate(let rate, let ofNodes):
            meters.measureLevels(perSecond: rate, ofNodes: ofNodes)
        case .pressKey(let key): bindings.press(key: key)
        case .halt(let node, true): _ = halt(node: node)
        case .halt(let node, false): resume(node: node)
        case .mute(let isOn): mute(isOn, frame: 0)
        case .masterGain(let decibels): setMasterGain(decibels: decibels, frame: 0)
        case .silence:
            sender.endNotes(dueFrame: frame)
            outputStage.silence(true, frames: rate.frames(seconds: Self.silenceSeconds))
            schedules.endTails()
        case .resume: outputStage.silence(false, frames: rate.frames(seconds: Self.levelSeconds))
        case .set, .fade, .scene, .sceneLevel, .exchange: break
        }
    }
}
