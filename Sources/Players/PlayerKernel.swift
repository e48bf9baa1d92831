internal import CRealtime
internal import DSP
internal import Processing
internal import Realtime

/// The fixed properties of a player, except its sounds.
struct PlayerTraits: BitwiseCopyable {
    var sampleRate: Double
    var channels: Int
    var isLive: Bool
    var polyphony: Int
    var fadeInFrames: Int
    /// The frames of the fade-out at a stop; 0 for the shortest one without a click.
    var fadeOutFrames: Int
    var isSynced: Bool
    var startPoint: StartPoint
    var restarts: Bool
    /// The number of pages to read ahead.
    var aheadPages: Int
}

/// The values of a player that can change while it plays.
struct PlayerValues: BitwiseCopyable {
    var gain = 0.0
    var rate = 1.0
    var semitones: Float = 0
    var isPlaying = true
    var isLooping = false
    var positionSeconds = 0.0
    /// The chosen file, from 1; 0 if none was chosen.
    var item = 0
}

/// The playback voices of a player, and the logic that starts and ends them.
struct PlayerKernel: Kernel, ~Copyable {
    let traits: PlayerTraits
    var values: PlayerValues
    var playlist: Playlist
    let voices: Buffer<PlaybackVoice>
    var queue = StartQueue()
    var gain: GainGlide
    /// The position where the next start begins while nothing plays.
    var selected: PlaylistPosition
    var startCount = 0
    /// The frames of the next stop's fade-out, or of the last one's if it still fades.
    var stopFrames: Int
    /// The transport frame expected in the next cycle by a voice that follows the transport.
    var expectedFrame = 0
    let reports: Buffer<Float>
    /// How often the player has played to its end.
    let endCount = Buffer<UInt32>(count: 1, repeating: 0)
    /// The number of frames that were silent because their pages were missing.
    var missingFrames = 0
    private var reportedMissingFrames = 0
    /// The number of frames since the state was noted.
    var unnotedFrames = 0

    static var reportCount: Int { 7 }

    init(_ traits: PlayerTraits, values: PlayerValues, playlist: consuming Playlist) {
        self.traits = traits
        self.values = values
        selected = playlist.beginning
        stopFrames = traits.fadeOutFrames
        self.playlist = playlist
        gain = GainGlide(1, lengthFrames: Int(0.02 * traits.sampleRate))
        // One extra voice lets the old sound fade out while a new one starts.
        voices = Buffer(count: traits.polyphony + 1) { _ in
            PlaybackVoice(
                PlaybackVoiceTraits(
                    channels: traits.channels, sampleRate: traits.sampleRate,
                    isLive: traits.isLive, mayAlign: !traits.isSynced))
        }
        reports = Buffer(count: Self.reportCount, repeating: 0)
        reset()
        prepare()
    }

    var latencyFrames: Int { 0 }
    var tailFrames: Int? { 0 }

    @_noLocks
    mutating func reset() {
        for index in 0..<voices.count {
            voices[index].stopNow()
            voices[index].set(rate: values.rate, semitones: values.semitones)
        }
        queue.clear()
        gain.snap(to: Float(Decibels(values.gain).amplitude))
        playlist.isLooping = values.isLooping
        playlist.cache.isDue = true
        (startCount, missingFrames, reportedMissingFrames) = (0, 0, 0)
        selected = playlist.beginning
        if values.item > 0 { selected.entry = entry(ofItem: values.item) }
        selected.frame = frame(atSeconds: values.positionSeconds, in: selected.entry)
        guard values.isPlaying, !traits.isSynced, !playlist.hasCues else { return }
        // An offline render starts without a fade-in.
        queue.add(
            Start(
                position: selected, point: traits.startPoint,
                fadeInFrames: traits.isLive ? traits.fadeInFrames : 0))
    }

    /// Reads the pages that the first start needs; live only.
    mutating func prepare() {
        guard traits.isLive else { return }
        // Start fetching a stream, but do not wait for it.
        guard !playlist.isStream(selected.entry) else {
            requestPages()
            return playlist.cache.wake()
        }
        fetchPages()
    }

    /// Reads the pages that are needed now, and waits for them; not in real time.
    @_noLocks
    mutating func fetchPages() {
        for _ in 0..<64 {
            requestPages()
            playlist.cache.serve()
            if playlist.cache.presentCount == playlist.cache.wantedCount { return }
        }
    }

    // MARK: Playback

    @_noLocks
    mutating func run(_ block: UnsafePointer<RTBlock>) {
        let frames = Int(block.pointee.frameCount)
        let outputs = block.pointee.outputs
        let transport = block.pointee.context?.pointee.transport
        playlist.cache.arrivals.pointee.beginTurn()
        playlist.cache.receive()
        followList()
        for channel in 0..<traits.channels { rt_clear(outputs[channel], Int64(frames)) }
        if traits.isSynced, let transport { follow(transport, frames: frames) }
        var done = 0
        while done < frames {
            let count = begin(transport, at: done, most: frames - done)
            // Start waiting voices first, so that those they replace fade out from the same frame.
            for index in 0..<voices.count where voices[index].phase == .waiting {
                voices.start[index].beginIfReady(&playlist, frames: count)
                if voices[index].phase == .sounding { makeRoom(for: index) }
            }
            for index in 0..<voices.count where !voices[index].isIdle {
                play(index, outputs, first: done, count: count)
            }
            done += count
        }
        scale(outputs, frames)
        finishBlock(frames: frames)
        followState(frames: frames)
    }

    @_noLocks
    mutating func play(
        _ index: Int, _ outputs: UnsafePointer<UnsafeMutablePointer<Float>>, first: Int,
        count: Int
    ) {
        let page = voices[index].position.frame / PageLength.frames
        let lack = voices[index].missingFrames
        // Through `start`, because the subscript would exclude access to `playlist`.
        voices.start[index].run(&playlist, into: outputs, first: first, count: count)
        missingFrames += voices[index].missingFrames - lack
        if voices[index].position.frame / PageLength.frames != page { playlist.cache.isDue = true }
        if voices[index].popEnd() { end() }
    }

    /// Handles a voice that has played to its end.
    @_noLocks
    mutating func end() {
        playlist.cache.isDue = true
        guard current < 0 else { return }
        endCount[0] &+= 1
        if !playlist.hasCues {
            selected = playlist.beginning
            playlist.cache.send(.ended())
        }
    }

    @_noLocks
    mutating func scale(
        _ outputs: UnsafePointer<UnsafeMutablePointer<Float>>, _ frames: Int
    ) {
        if gain.isResting, gain.value == 1 { return }
        let before = gain
        for channel in 0..<traits.channels {
            gain = before
            DSP.scale(outputs[channel], into: outputs[channel], frameCount: frames, gain: &gain)
        }
    }

    @_noLocks
    mutating func moveGain(decibels: Double) {
        let amplitude = Float(Decibels(decibels).amplitude)
        if gain.target != amplitude { gain.move(to: amplitude) }
    }

}

// The work of a player in addition to its sound: it requests pages and publishes reports.
extension PlayerKernel {
    @_noLocks
    mutating func finishBlock(frames: Int) {
        if traits.isLive {
            cueAhead(frames: frames)
            if missingFrames > reportedMissingFrames, !isStarved, !playlist.isStream(selected.entry)
            {
                playlist.cache.send(.starved(frames: missingFrames - reportedMissingFrames))
                reportedMissingFrames = missingFrames
            }
            if playlist.cache.isDue { requestPages() }
        }
        releaseSounds()
        playlist.cache.wake()
        report()
    }

    var isStarved: Bool {
        @_noLocks get {
            for index in 0..<voices.count where voices[index].isStarved { return true }
            return false
        }
    }

    /// Requests the pages that are needed soon: first for active voices, then for possible starts.
    @_noLocks
    mutating func requestPages() {
        playlist.cache.beginPlan()
        for index in 0..<voices.count
        where voices[index].isOn || voices[index].phase == .leaving || voices[index].fadesLong {
            // A stream is read in order, so only the newest voice requests its pages.
            if playlist.isStream(voices[index].position.entry), index != current { continue }
            playlist.want(
                after: voices[index].position,
                pages: voices[index].isOn
                    ? traits.aheadPages : voices[index].fadesLong ? 3 : 1)
        }
        if let start = queue.first {
            playlist.want(after: start.position, pages: traits.aheadPages)
        }
        let playing = current
        let entry = playing >= 0 ? voices[playing].origin.entry : selected.entry
        if playing >= 0 {
            if !voices[playing].isOn { playlist.want(after: voices[playing].position, pages: 2) }
        } else if !playlist.isStream(selected.entry) {
            playlist.want(after: selected, pages: min(6, traits.aheadPages))
        }
        playlist.wantHead(entry: entry, frame: 0)
        if playlist.itemCount > 1 || !playlist.isListed(entry) {
            playlist.wantHead(entry: playlist.entry(after: entry), frame: 0)
            playlist.wantHead(entry: playlist.entry(before: entry), frame: 0)
        } else if playlist.isLooping {
            playlist.wantHead(entry: entry, frame: playlist.blendFrames(of: entry))
        }
        playlist.cache.endPlan()
    }

    @_noLocks
    func report() {
        let playing = current
        let origin =
            playing >= 0 ? voices[playing].origin : (entry: selected.entry, frame: selected.frame)
        let total = playlist.knownFrames(of: origin.entry)
        var soundingCount = 0
        for index in 0..<voices.count where voices[index].phase == .sounding { soundingCount += 1 }
        reports[0] = Float(Double(origin.frame) / traits.sampleRate)
        reports[1] = Float(Double(total) / traits.sampleRate)
        reports[2] = Float(playlist.number(of: origin.entry) + 1)
        reports[3] = soundingCount > 0 ? 1 : 0
        reports[4] = Float(soundingCount)
        let isFilling = isStarved || playing >= 0 && voices[playing].phase == .waiting
        reports[5] =
            isFilling
            ? 100 * Float(playlist.cache.presentCount) / Float(max(1, playlist.cache.wantedCount))
            : 100
        reports[6] = Float(missingFrames)
    }
}

// How a player follows changes of its list of files.
extension PlayerKernel {
    /// Uses the newest version of the list: it applies to all files that have not started yet.
    @_noLocks
    mutating func followList() {
        guard playlist.update() else { return }
        queue.follow(playlist)
        selected = playlist.listed(selected)
        // A cued voice may have prepared a sound that no longer follows.
        for index in 0..<voices.count where voices[index].phase == .cued { voices[index].stopNow() }
    }

    /// Releases the removed sounds that no voice and no start needs any more.
    @_noLocks
    mutating func releaseSounds() {
        guard playlist.hasLeavingSounds else { return }
        playlist.hasLeavingSounds = false
        for entry in 0..<playlist.entryCount where playlist.isLeaving(entry) {
            if needs(entry) || !playlist.release(entry) { playlist.hasLeavingSounds = true }
        }
    }

    @_noLocks
    private func needs(_ entry: Int) -> Bool {
        for index in 0..<voices.count where voices[index].needs(entry) { return true }
        return selected.entry == entry || queue.needs(entry)
    }
}
