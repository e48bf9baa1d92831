internal import CRealtime
internal import Realtime

/// The beats and bars of the session, in frames of the looper.
package struct TempoGrid: BitwiseCopyable {
    /// A point of the grid: its exact time, and the frame nearest to it.
    package struct Point: BitwiseCopyable {
        package let frame: Int
        package let exact: Double
    }

    private var anchorFrame = 0
    private var anchorBeats = 0.0
    private var framesPerBeat = 0.0
    package private(set) var beatsPerBar = 4.0

    /// Creates a grid without beats.
    @_noLocks
    package init() {}

    /// Creates a grid from the beat at a frame; numbers outside sensible ranges make a grid without
    /// beats.
    @_noLocks
    package init(frame: Int, beats: Double, framesPerBeat: Double, beatsPerBar: Double) {
        guard framesPerBeat >= 16, framesPerBeat <= 1e9, abs(beats) <= 1e9, beatsPerBar >= 0.25,
            beatsPerBar <= 1024
        else { return }
        anchorFrame = frame
        anchorBeats = beats
        self.framesPerBeat = framesPerBeat
        self.beatsPerBar = beatsPerBar
    }

    /// Whether there are beats.
    var isOn: Bool { @_noLocks get { framesPerBeat > 0 } }

    /// Returns the first point at or after a frame; `nil` without beats.
    ///
    /// - Parameters:
    ///   - frame: The frame.
    ///   - beats: The distance of two points.
    /// - Returns: The point.
    @_noLocks
    package func point(from frame: Int, everyBeats beats: Double) -> Point? {
        guard isOn else { return nil }
        var number = rt_floor(beatAt(frame) / beats) - 1
        var point = self.point(number, beats)
        while point.frame < frame {
            number += 1
            point = self.point(number, beats)
        }
        return point
    }

    /// Returns the last point at or before a frame; `nil` without beats.
    ///
    /// - Parameters:
    ///   - frame: The frame.
    ///   - beats: The distance of two points.
    /// - Returns: The point.
    @_noLocks
    package func point(upTo frame: Int, everyBeats beats: Double) -> Point? {
        guard isOn else { return nil }
        var number = rt_floor(beatAt(frame) / beats) + 2
        var point = self.point(number, beats)
        while point.frame > frame {
            number -= 1
            point = self.point(number, beats)
        }
        return point
    }

    /// Returns the exact time of the point that is nearest to a time, in frames; `nil` without beats.
    @_noLocks
    func nearest(to time: Double, everyBeats beats: Double) -> Double? {
        guard isOn else { return nil }
        let beat = anchorBeats + (time - Double(anchorFrame)) / framesPerBeat
        let number = rt_floor(beat / beats + 0.5)
        return Double(anchorFrame) + (number * beats - anchorBeats) * framesPerBeat
    }

    /// Returns the distance of two points, in frames; `nil` without beats.
    @_noLocks
    func spacing(everyBeats beats: Double) -> Double? { isOn ? beats * framesPerBeat : nil }

    /// Returns how far the grid is from a beat at a frame, in frames; `nil` without beats.
    @_noLocks
    package func deviation(from beats: Double, atFrame frame: Int) -> Double? {
        isOn ? abs(beatAt(frame) - beats) * framesPerBeat : nil
    }

    /// The number of words of `note`.
    static var noteWords: Int { 4 }

    /// Writes the grid.
    @_noLocks
    func note(to notes: UnsafeMutablePointer<StateNotes>) {
        notes.pointee.put(anchorFrame)
        notes.pointee.put(anchorBeats)
        notes.pointee.put(framesPerBeat)
        notes.pointee.put(beatsPerBar)
    }

    /// Reads a noted grid; numbers outside sensible ranges make a grid without beats.
    @_noLocks
    init(_ notes: UnsafeMutablePointer<StateNotes>) {
        let frame = notes.pointee.pop(from: -(1 << 50), through: 1 << 50)
        let beats = notes.pointee.popNumber(within: 1e9)
        let framesPerBeat = notes.pointee.popNumber(within: 1e9)
        self.init(
            frame: frame, beats: beats, framesPerBeat: framesPerBeat,
            beatsPerBar: notes.pointee.popNumber(within: 1024))
    }

    /// Returns the beat at a frame; `nil` without beats.
    @_noLocks
    func beats(atFrame frame: Int) -> Double? { isOn ? beatAt(frame) : nil }

    @_noLocks
    private func beatAt(_ frame: Int) -> Double {
        anchorBeats + Double(frame - anchorFrame) / framesPerBeat
    }

    @_noLocks
    private func point(_ number: Double, _ beats: Double) -> Point {
        let exact = Double(anchorFrame) + (number * beats - anchorBeats) * framesPerBeat
        return Point(frame: Int(rt_floor(exact + 0.5)), exact: exact)
    }
}
