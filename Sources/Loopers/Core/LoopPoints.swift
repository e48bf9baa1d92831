internal import CRealtime

/// The points in time at which commands act.
package struct LoopPoints: BitwiseCopyable {
    /// The beats and bars.
    package var grid = TempoGrid()
    /// Whether the grid has changed while there were beats, as the grid of another program does.
    package var hasMovedGrid = false
    let quantize: LoopQuantize

    init(_ quantize: LoopQuantize) {
        self.quantize = quantize
    }

    /// Whether commands wait for beats or bars, if there are any.
    private var usesGrid: Bool { @_noLocks get { quantize == .beat || quantize == .bar } }

    private var gridBeats: Double { @_noLocks get { quantize == .bar ? grid.beatsPerBar : 1 } }

    /// Whether the presses alone determine when a recording begins and ends.
    ///
    /// A pedal is pressed together with the sound that arrives with the message, and the musician
    /// played that sound to the sound of a round trip earlier. A free recording is therefore dated
    /// back, and contains exactly the input between the two presses.
    var isFree: Bool { @_noLocks get { quantize == .off || quantize != .loop && !grid.isOn } }

    /// Returns a frame as a point.
    @_noLocks
    static func exact(_ frame: Int) -> TempoGrid.Point {
        TempoGrid.Point(frame: frame, exact: Double(frame))
    }

    /// Returns the first beat or bar at or after a frame; the frame itself if commands do not wait
    /// for beats or bars.
    @_noLocks
    func first(from frame: Int) -> TempoGrid.Point {
        (usesGrid ? grid.point(from: frame, everyBeats: gridBeats) : nil) ?? Self.exact(frame)
    }

    /// Returns the last beat or bar at or before a frame; `nil` if commands do not wait for them.
    @_noLocks
    func last(upTo frame: Int) -> TempoGrid.Point? {
        usesGrid ? grid.point(upTo: frame, everyBeats: gridBeats) : nil
    }

    /// Determines the beat or bar at which a pass of a loop should end.
    ///
    /// The tempo of another program is measured, so a loop that was recorded on its bars can be a
    /// little longer or shorter than they are. Only an inaudible difference is corrected: a loop
    /// keeps its length when the tempo changes.
    ///
    /// - Parameters:
    ///   - exactEnd: The exact end of the pass without a correction.
    ///   - periodFrames: The time from one start of the loop to the next, in frames.
    ///   - longestFrames: The largest correction.
    /// - Returns: The exact end; `nil` if the pass should keep its length.
    @_noLocks
    func correctedEnd(of exactEnd: Double, periodFrames: Double, longestFrames: Double) -> Double? {
        guard usesGrid, hasMovedGrid, let spacing = grid.spacing(everyBeats: gridBeats),
            let end = grid.nearest(to: exactEnd, everyBeats: gridBeats)
        else { return nil }
        let points = rt_floor(periodFrames / spacing + 0.5)
        let mismatch = abs(periodFrames - points * spacing)
        let difference = abs(end - exactEnd)
        // A smaller difference is a question of rounding.
        return points > 0 && mismatch <= 0.001 * periodFrames && difference > 0.75
            && difference <= longestFrames ? end : nil
    }

    /// Returns the end of an insert: a beat, a bar, or a whole number of cycles after its start.
    ///
    /// - Parameters:
    ///   - start: The start of the insert.
    ///   - earliest: The first frame that it may end at.
    ///   - periodFrames: The time from one start of the loop to the next, in frames.
    /// - Returns: The end.
    @_noLocks
    func insertEnd(
        from start: TempoGrid.Point, earliest: Int, periodFrames: Double
    ) -> TempoGrid.Point {
        guard quantize == .loop else { return first(from: earliest) }
        let cycles = max(1, rt_floor((Double(earliest) - start.exact) / periodFrames))
        var end = start.exact + cycles * periodFrames
        if Int(rt_floor(end + 0.5)) < earliest { end += periodFrames }
        return TempoGrid.Point(frame: Int(rt_floor(end + 0.5)), exact: end)
    }
}
