internal import CRealtime
internal import Realtime
internal import Synchronization

/// All that the audio thread may touch.
struct EngineCore: ~Copyable {
    /// Changes taken from the ring in one cycle, at most: as many as the ring holds.
    static var eventCapacity: Int { @_noLocks get { 4096 } }
    /// The most frames rendered in one piece, whatever the schedules were prepared for.
    static var largestPiece: Int { @_noLocks get { 8192 } }

    /// A schedule to be taken over, by its `Schedule` object; the control side puts it here, the
    /// audio thread takes it.
    let incoming = Atomic<UInt>(0)
    /// Whether plugins that take too long are stopped.
    let isWatching = Atomic<Bool>(false)
    let commands: RingConsumer<Command>
    let reports: RingProducer<Report>
    /// Schedules that are no longer played, on their way back to be freed.
    let finished: RingProducer<UInt>
    let outlets: Outlets
    let events: UnsafeMutablePointer<RTEvent>
    /// The nodes of this cycle's events, place by place.
    let eventNodes: UnsafeMutablePointer<Int32>
    let messages: MessagePieces
    var clock: TransportClock
    var schedule: PlayingSchedule
    /// The schedule that fades out while the present one fades in.
    var leaving: PlayingSchedule?
    var exchange = Swell(1)
    /// Frames rendered since the start.
    var frame: UInt64 = 0
    var meters: Meters

    /// Renders any number of frames, in pieces of what the schedules were prepared for.
    @_noLocks
    mutating func render(
        _ frames: Int, _ inputs: UnsafePointer<UnsafePointer<Float>>,
        _ outputs: UnsafePointer<UnsafeMutablePointer<Float>>,
        _ outside: UnsafePointer<RTOutside>?
    ) {
        let start = rt_ticks()
        messages.begin()
        var done = 0
        while done < frames {
            takeIncoming()
            let prepared = min(schedule.maximumFrames, leaving?.maximumFrames ?? .max)
            let limit = min(prepared, Self.largestPiece)
            let piece = min(frames - done, limit)
            messages.deal(
                outside, offset: done, end: done + piece, isLast: done + piece == frames)
            clock.begin(outside, offset: done)
            renderPiece(piece, offset: done, inputs, outputs)
            clock.advance(piece)
            done += piece
        }
        meters.addCycle(rt_ticks() &- start, frames: frames)
        meters.reportWhenDue(schedule, outlets, reports)
    }

    @_noLocks
    private mutating func renderPiece(
        _ frames: Int, offset: Int, _ inputs: UnsafePointer<UnsafePointer<Float>>,
        _ outputs: UnsafePointer<UnsafeMutablePointer<Float>>
    ) {
        let eventCount = takeCommands(frames)
        var cycle = RTCycle(
            frameCount: Int32(frames), events: events, messages: messages.messages,
            sinks: messages.sinks, transport: clock.now)
        let isWatched = isWatching.load(ordering: .relaxed)
        schedule.core.pointee.isOnDuty.pointee = isWatched
        schedule.run(&cycle, inputs, offset)
        for place in 0..<eventCount {
            schedule.core.pointee.forgetEvents(node: eventNodes[place])
        }
        // A schedule that fades out gets no new notes, and gives none.
        cycle.messages = nil
        cycle.sinks = nil
        leaving?.run(&cycle, inputs, offset)
        for channel in 0..<meters.inputCount {
            meters.addInput(channel, inputs[channel] + offset, frames)
        }
        deliver(frames, offset, outputs)
        frame &+= UInt64(frames)
        retireLeaving()
    }

    /// Brings the schedules' outputs outside: exchange, fade, limiter, meters.
    @_noLocks
    private mutating func deliver(
        _ frames: Int, _ offset: Int, _ outputs: UnsafePointer<UnsafeMutablePointer<Float>>
    ) {
        let fading = leaving != nil
        if fading { for place in 0..<frames { outlets.gains[place] = exchange.next() } }
        for channel in 0..<outlets.channelCount {
            let out = outputs[channel] + offset
            schedule.copyOutput(channel, into: out, frames)
            if fading { leaving?.crossfadeOutput(channel, into: out, outlets.gains, frames) }
            outlets.channels[channel] = out
        }
        outlets.finish(frames)
        for channel in 0..<outlets.channelCount {
            meters.addOutput(channel, outlets.channels[channel], frames)
        }
        if outlets.tookSilence() { _ = reports.push(.faded) }
    }

    /// Of the schedule that plays, or fades in.
    private var rate: RateFigures { @_noLocks get { schedule.core.pointee.rate } }

    /// Takes over a schedule that waits, unless an exchange is still under way.
    @_noLocks
    private mutating func takeIncoming() {
        guard leaving == nil, incoming.load(ordering: .relaxed) != 0 else { return }
        let handle = incoming.exchange(0, ordering: .acquiring)
        guard let arrived = PlayingSchedule(handle: handle) else { return }
        clock.follow(arrived.core.pointee, after: schedule.core.pointee)
        leaving = schedule
        schedule = arrived
        exchange.move(from: 0, to: 1, frames: rate.exchangeFrames)
        outlets.follow(rate)
        meters.follow(rate.meters)
    }

    /// Sends a schedule that has faded out back to be freed; where the ring is full it waits.
    @_noLocks
    private mutating func retireLeaving() {
        guard exchange.isResting, let gone = leaving else { return }
        if finished.push(gone.handle) { leaving = nil }
    }

    /// Takes the commands that are due in the next frames, and hands them to their nodes.
    ///
    /// - Returns: How many events there are.
    @_noLocks
    private mutating func takeCommands(_ frames: Int) -> Int {
        var count = 0
        var earliest = 0
        while count < Self.eventCapacity, let command = commands.peek() {
            switch command {
            case .set(let node, let target, let value, let due):
                if due >= frame &+ UInt64(frames) { return count }
                earliest = max(earliest, due > frame ? Int(due - frame) : 0)
                events[count] = RTEvent(
                    frame: Int32(earliest), target: target, value: value, next: -1)
                eventNodes[count] = node
                schedule.core.pointee.deliver(events, place: Int32(count), node: node)
                count += 1
            case .tempo(let beatsPerMinute): clock.setTempo(beatsPerMinute)
            case .fadeIn(let seconds): outlets.fade(to: 1, frames: rate.frames(seconds: seconds))
            case .fadeOut(let seconds): outlets.fade(to: 0, frames: rate.frames(seconds: seconds))
            }
            _ = commands.pop()
        }
        return count
    }
}
