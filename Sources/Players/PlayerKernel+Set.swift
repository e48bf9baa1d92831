internal import CRealtime
internal import Realtime

// What the values of a player do when they move.
extension PlayerKernel {
    @_noLocks
    mutating func set(_ parameter: Int32, to value: Float) {
        guard value.isFinite else { return }
        reel.cache.isDue = true
        switch parameter {
        case 0:
            values.gain = Double(value)
            moveGain(decibels: values.gain)
        case 1, 2: setSpeed(parameter, to: value)
        case 3: setPlaying(value >= 0.5)
        case 4:
            values.isLooping = value >= 0.5
            reel.isLooping = values.isLooping
        case 5: seek(toSeconds: Double(max(0, value)))
        case 6:
            if value >= 0.5, !values.isTriggered { trigger() }
            values.isTriggered = value >= 0.5
        case 7:
            if value >= 0.5, !values.isNext { choose(turn: presentTurn + 1) }
            values.isNext = value >= 0.5
        case 8:
            if value >= 0.5, !values.isPrevious { choose(turn: presentTurn - 1) }
            values.isPrevious = value >= 0.5
        case 9:
            values.item = Int(max(0, min(value, 1e6)))
            if values.item > 0 { choose(turn: turn(ofItem: values.item)) }
        default: return
        }
    }

    @_noLocks
    private mutating func setSpeed(_ parameter: Int32, to value: Float) {
        if parameter == 1 {
            values.rate = Double(min(max(value, 0.25), 4))
        } else {
            values.semitones = min(max(value, -24), 24)
        }
        for place in 0..<deckCount {
            decks[place].set(rate: values.rate, semitones: values.semitones)
        }
    }

    @_noLocks
    private mutating func setPlaying(_ isOn: Bool) {
        let wasOn = values.isPlaying
        values.isPlaying = isOn
        guard !traits.isSynced else { return }
        if !isOn { return stop() }
        guard !wasOn else { return }
        let playing = current
        if playing >= 0, !decks[playing].isOn {
            start(ReelPlace(), resumes: true)
        } else if playing < 0, queue.count == 0 {
            start(selected)
        }
    }

    @_noLocks
    private mutating func stop() {
        queue.clear()
        for place in 0..<deckCount {
            if decks[place].phase == .waiting { selected = decks[place].place }
            if traits.restarts || traits.polyphony > 1 || decks[place].phase == .waiting {
                decks[place].leave()
            } else {
                decks[place].pause()
            }
        }
        if traits.restarts { selected.frame = 0 }
    }

    @_noLocks
    private mutating func start(
        _ place: ReelPlace, resumes: Bool = false, at point: StartPoint? = nil
    ) {
        if traits.polyphony == 1 { queue.clear() }
        queue.add(
            Start(
                place: place, point: point ?? traits.startPoint, swellFrames: traits.swellFrames,
                resumes: resumes))
    }

    @_noLocks
    private mutating func trigger() {
        guard !traits.isSynced else { return }
        start(place(turn: presentTurn))
    }

    @_noLocks
    private mutating func seek(toSeconds seconds: Double) {
        values.positionSeconds = seconds
        guard !traits.isSynced, !reel.hasCues, !reel.isEndless(presentTurn) else { return }
        var place = place(turn: presentTurn)
        place.frame = frame(atSeconds: seconds, turn: place.turn)
        goOn(at: place, point: .now)
    }

    @_noLocks
    private mutating func choose(turn: Int) {
        guard !traits.isSynced else { return }
        let count = reel.itemCount
        let place = place(turn: (turn % count + count) % count)
        if reel.hasCues { selected = place } else { goOn(at: place, point: traits.startPoint) }
    }

    /// Goes there where it plays; otherwise it begins there once it does.
    @_noLocks
    private mutating func goOn(at place: ReelPlace, point: StartPoint) {
        let playing = current
        if queue.count > 0 || playing >= 0 && decks[playing].isOn {
            // A start that waits for its time goes on waiting for it.
            let waiting = queue.last
            start(place, at: waiting.map { $0.point } ?? point)
        } else {
            selected = place
            for deck in 0..<deckCount { decks[deck].leave() }
        }
    }

    @_noLocks
    private func place(turn: Int) -> ReelPlace {
        var place = ReelPlace()
        place.turn = turn
        return place
    }

    /// The sound that plays, or that is to play next.
    private var presentTurn: Int {
        @_noLocks get {
            if reel.hasCues { return selected.turn }
            if let start = queue.last, !start.resumes { return start.place.turn }
            let playing = current
            return playing >= 0 ? decks[playing].origin.turn : selected.turn
        }
    }

    /// The place in the order of a sound by its number from 1.
    @_noLocks
    func turn(ofItem number: Int) -> Int {
        reel.turn(of: min(max(0, number - 1), reel.itemCount - 1))
    }

    @_noLocks
    func frame(atSeconds seconds: Double, turn: Int) -> Int {
        let frame = rt_round(max(0, min(seconds, 1e9)) * traits.sampleRate)
        return min(Int(frame), reel.frameCount(at: turn))
    }

    // MARK: In time with the transport

    /// Plays where the transport is, while it rolls.
    @_noLocks
    mutating func follow(_ transport: UnsafePointer<RTTransport>, frames: Int) {
        let frame = Int(max(0, transport.pointee.frame))
        let playing = current
        let isWaiting = playing >= 0 && decks[playing].phase == .waiting
        defer { expectedFrame = frame + frames }
        let wanted = reel.place(at: Int(rt_round(Double(frame) * values.rate)))
        guard transport.pointee.isRolling, values.isPlaying, let wanted else {
            for place in 0..<deckCount { decks[place].leave() }
            if selected != wanted ?? ReelPlace() {
                selected = wanted ?? ReelPlace()
                reel.cache.isDue = true
            }
            return
        }
        // What stretches needs some cycles to begin, and is not begun anew in each.
        let mayWait = isWaiting && values.rate == 1 && values.semitones == 0
        guard playing < 0 || frame != expectedFrame || mayWait || decks[playing].hasLacked else {
            return
        }
        if playing >= 0 { decks[playing].forgetLack() }
        start(wanted, at: .now)
    }
}
