internal import CRealtime
internal import Processing
internal import Realtime

// How a player reacts to changes of its values.
extension PlayerKernel {
    @_noLocks
    mutating func set(_ parameter: Int32, to value: Float) {
        playlist.cache.arrivals.pointee.beginTurn()
        guard value.isFinite else { return }
        if parameter == PlaybackTarget.stopSeconds {
            stopFrames = Int(Double(max(0, min(value, 3600))) * traits.sampleRate)
        }
        guard let parameter = Parameter(rawValue: parameter) else { return }
        followList()
        playlist.cache.isDue = true
        switch parameter {
        case .gain:
            values.gain = Double(value)
            moveGain(decibels: values.gain)
        case .rate:
            values.rate = Double(min(max(value, 0.25), 4))
            updateSpeed()
        case .semitones:
            values.semitones = min(max(value, -24), 24)
            updateSpeed()
        case .playing: setPlaying(value >= 0.5)
        case .loop:
            values.isLooping = value >= 0.5
            playlist.isLooping = values.isLooping
        case .position: seek(toSeconds: Double(max(0, value)))
        case .trigger:
            if value >= 0.5 { trigger() }
        case .next:
            if value >= 0.5 { choose(playlist.entry(after: currentEntry)) }
        case .previous:
            if value >= 0.5 { choose(playlist.entry(before: currentEntry)) }
        case .item:
            values.item = Int(max(0, min(value, 1e6)))
            if values.item > 0 { choose(entry(ofItem: values.item)) }
        }
    }

    @_noLocks
    private mutating func updateSpeed() {
        for index in 0..<voices.count {
            voices[index].set(rate: values.rate, semitones: values.semitones)
        }
    }

    @_noLocks
    private mutating func setPlaying(_ isOn: Bool) {
        let wasOn = values.isPlaying
        values.isPlaying = isOn
        if isOn { stopFrames = traits.fadeOutFrames }
        // A player that follows the transport stops with the next block.
        guard !traits.isSynced else { return }
        if !isOn {
            stop()
            stopFrames = traits.fadeOutFrames
            return
        }
        guard !wasOn else { return }
        let playing = current
        if playing >= 0, !voices[playing].isOn {
            start(playlist.beginning, resumes: true)
        } else if playing < 0, queue.count == 0 {
            start(selected)
        }
    }

    @_noLocks
    private mutating func stop() {
        queue.clear()
        for index in 0..<voices.count {
            if voices[index].phase == .waiting {
                selected = playlist.listed(voices[index].position)
            }
            if traits.restarts || traits.polyphony > 1 || voices[index].phase == .waiting {
                voices[index].leave(frames: stopFrames)
            } else {
                voices[index].pause(frames: stopFrames)
            }
        }
        if traits.restarts { selected.frame = 0 }
    }

    @_noLocks
    private mutating func start(
        _ position: PlaylistPosition, resumes: Bool = false, at point: StartPoint? = nil
    ) {
        if traits.polyphony == 1 { queue.clear() }
        queue.add(
            Start(
                position: position, point: point ?? traits.startPoint,
                fadeInFrames: traits.fadeInFrames,
                resumes: resumes))
    }

    @_noLocks
    private mutating func trigger() {
        guard !traits.isSynced else { return }
        start(PlaylistPosition(entry: playlist.listedEntry(for: currentEntry)))
    }

    @_noLocks
    private mutating func seek(toSeconds seconds: Double) {
        values.positionSeconds = seconds
        guard !traits.isSynced, !playlist.hasCues, !playlist.isEndless(currentEntry) else { return }
        var position = PlaylistPosition(entry: currentEntry)
        position.frame = frame(atSeconds: seconds, in: position.entry)
        movePlayback(to: position, point: .now)
    }

    @_noLocks
    private mutating func choose(_ entry: Int) {
        guard !traits.isSynced else { return }
        let position = PlaylistPosition(entry: entry)
        if playlist.hasCues {
            selected = position
        } else {
            movePlayback(to: position, point: traits.startPoint)
        }
    }

    /// Moves playback to a position; if nothing plays, the next start begins there.
    @_noLocks
    private mutating func movePlayback(to position: PlaylistPosition, point: StartPoint) {
        let playing = current
        if queue.count > 0 || playing >= 0 && voices[playing].isOn {
            // If a start already waits for a beat or bar, the new one waits for the same point.
            let waiting = queue.last
            start(position, at: waiting.map { $0.point } ?? point)
        } else {
            selected = position
            for voice in 0..<voices.count { voices[voice].leave() }
        }
    }

    /// The entry of the current sound, or else of the next one.
    private var currentEntry: Int {
        @_noLocks get {
            if playlist.hasCues { return selected.entry }
            if let start = queue.last, !start.resumes { return start.position.entry }
            let playing = current
            return playing >= 0 ? voices[playing].origin.entry : selected.entry
        }
    }

    /// Returns the entry of a file number, which counts from 1.
    @_noLocks
    func entry(ofItem number: Int) -> Int {
        playlist.entry(withNumber: min(max(0, number - 1), playlist.itemCount - 1))
    }

    @_noLocks
    func frame(atSeconds seconds: Double, in entry: Int) -> Int {
        let frame = rt_round(max(0, min(seconds, 1e9)) * traits.sampleRate)
        return min(Int(frame), playlist.frameCount(of: entry))
    }

    // MARK: Following the transport

    /// Plays at the transport's position while the transport rolls.
    @_noLocks
    mutating func follow(_ transport: UnsafePointer<RTTransport>, frames: Int) {
        let frame = Int(max(0, transport.pointee.frame))
        let playing = current
        let isWaiting = playing >= 0 && voices[playing].phase == .waiting
        defer { expectedFrame = frame + frames }
        let wanted = playlist.position(at: Int(rt_round(Double(frame) * values.rate)))
        guard transport.pointee.isRolling, values.isPlaying, let wanted else {
            let frames = values.isPlaying ? 0 : stopFrames
            for index in 0..<voices.count { voices[index].leave(frames: frames) }
            if selected != wanted ?? playlist.beginning {
                selected = wanted ?? playlist.beginning
                playlist.cache.isDue = true
            }
            return
        }
        // A stretched voice takes several cycles to start, so it must not restart in each cycle.
        let mayWait = isWaiting && values.rate == 1 && values.semitones == 0
        guard playing < 0 || frame != expectedFrame || mayWait || voices[playing].hadMissingFrames
        else {
            return
        }
        if playing >= 0 { voices[playing].clearMissing() }
        start(wanted, at: .now)
    }
}
