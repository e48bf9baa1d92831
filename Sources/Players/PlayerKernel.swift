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
    var swellFrames: Int
    var isSynced: Bool
    var startPoint: StartPoint
    var restarts: Bool
    /// The seed of the playing order; 0 for the order of the pipeline file.
    var shuffleSeed: UInt64
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
    var isTriggered = false
    var isNext = false
    var isPrevious = false
}

/// The playback voices of a player, and the logic that starts and ends them.
struct PlayerKernel: Kernel, ~Copyable {
    let traits: PlayerTraits
    var values: PlayerValues
    var reel: Reel
    let decks: UnsafeMutablePointer<Deck>
    let deckCount: Int
    var queue = StartQueue()
    var gain: GainGlide
    /// The position where the next start begins while nothing plays.
    var selected = ReelPlace()
    var startCount = 0
    /// The transport frame expected in the next cycle by a voice that follows the transport.
    var expectedFrame = 0
    let reports: UnsafeMutablePointer<Float>
    var lackFrames = 0
    var toldLackFrames = 0

    static var reportCount: Int { 7 }

    init(_ traits: PlayerTraits, values: PlayerValues, reel: Reel) {
        self.traits = traits
        self.values = values
        self.reel = reel
        gain = GainGlide(1, lengthFrames: Int(0.02 * traits.sampleRate))
        // One extra voice lets the old sound fade out while a new one starts.
        deckCount = traits.polyphony + 1
        decks = .allocate(capacity: deckCount)
        for place in 0..<deckCount {
            (decks + place).initialize(
                to: Deck(
                    DeckTraits(
                        channels: traits.channels, sampleRate: traits.sampleRate,
                        isLive: traits.isLive, mayLand: !traits.isSynced)))
        }
        reports = .allocate(capacity: Self.reportCount)
        reports.initialize(repeating: 0, count: Self.reportCount)
        reset()
        prepare()
    }

    deinit {
        decks.deinitialize(count: deckCount)
        decks.deallocate()
        reports.deallocate()
        queue.deallocate()
        reel.deallocate()
    }

    var latencyFrames: Int { 0 }
    var tailFrames: Int? { 0 }

    @_noLocks
    mutating func reset() {
        for place in 0..<deckCount {
            decks[place].stopNow()
            decks[place].set(rate: values.rate, semitones: values.semitones)
        }
        queue.clear()
        gain.snap(to: Float(Decibels(values.gain).amplitude))
        if traits.shuffleSeed > 0 { reel.shuffle(seed: traits.shuffleSeed) }
        reel.isLooping = values.isLooping
        reel.cache.isDue = true
        (startCount, lackFrames, toldLackFrames) = (0, 0, 0)
        selected = ReelPlace()
        if values.item > 0 { selected.turn = turn(ofItem: values.item) }
        selected.frame = frame(atSeconds: values.positionSeconds, turn: selected.turn)
        guard values.isPlaying, !traits.isSynced, !reel.hasCues else { return }
        // An offline render starts without a fade-in.
        queue.add(
            Start(
                place: selected, point: traits.startPoint,
                swellFrames: traits.isLive ? traits.swellFrames : 0))
    }

    /// Reads the pages that the first start needs; live only.
    mutating func prepare() {
        guard traits.isLive else { return }
        // Start fetching a stream, but do not wait for it.
        let isStream = reel.itemCount > 0 && reel.isStream(0)
        for _ in 0..<(isStream ? 1 : 64) {
            plan()
            if isStream { return reel.cache.wake() }
            reel.cache.serve()
            if reel.cache.presentCount == reel.cache.wantedCount { return }
        }
    }

    // MARK: Playback

    @_noLocks
    mutating func run(_ block: UnsafePointer<RTBlock>) {
        let frames = Int(block.pointee.frameCount)
        let outputs = block.pointee.outputs
        let transport = block.pointee.surroundings?.pointee.transport
        reel.cache.receive()
        for channel in 0..<traits.channels { rt_clear(outputs[channel], Int64(frames)) }
        if traits.isSynced, let transport { follow(transport, frames: frames) }
        var done = 0
        while done < frames {
            let count = begin(transport, at: done, most: frames - done)
            // Start waiting voices first, so that those they replace fade out from the same frame.
            for place in 0..<deckCount where decks[place].phase == .waiting {
                decks[place].beginIfReady(&reel, frames: count)
                if decks[place].phase == .sounding { makeRoom(for: place) }
            }
            for place in 0..<deckCount where !decks[place].isIdle {
                play(place, outputs, first: done, count: count)
            }
            done += count
        }
        scale(outputs, frames)
        afterwards(frames: frames)
    }

    @_noLocks
    mutating func play(
        _ place: Int, _ outputs: UnsafePointer<UnsafeMutablePointer<Float>>, first: Int,
        count: Int
    ) {
        let page = decks[place].place.frame / PageLength.frames
        let lack = decks[place].lackFrames
        decks[place].run(&reel, into: outputs, first: first, count: count)
        lackFrames += decks[place].lackFrames - lack
        if decks[place].place.frame / PageLength.frames != page { reel.cache.isDue = true }
        if decks[place].takeEnd() { end() }
    }

    /// Handles a voice that has played to its end.
    @_noLocks
    mutating func end() {
        reel.cache.isDue = true
        if current < 0, !reel.hasCues {
            selected = ReelPlace()
            reel.cache.tell(.ended())
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
