import DSP
import Glibc

/// A resampler under test.
struct Subject {
    let name: String
    /// Creates a conversion; returns `nil` if the resampler is not installed.
    let make: (_ from: Double, _ to: Double, _ channels: Int) -> Conversion?

    /// Converts all input frames, stored channel by channel, and returns the number of output
    /// frames.
    typealias Conversion = (
        _ input: UnsafePointer<Float>, _ frames: Int, _ output: UnsafeMutablePointer<Float>,
        _ room: Int
    ) -> Int

    static var all: [Subject] {
        [
            ours, libsamplerate("libsamplerate medium", quality: 1),
            libsamplerate("libsamplerate best", quality: 0),
        ]
    }

    private static var ours: Subject {
        Subject(name: "ours") { from, to, channels in
            let place = UnsafeMutablePointer<Resampler>.allocate(capacity: 1)
            place.initialize(to: Resampler(from: from, to: to, channelCount: channels))
            return { input, frames, output, room in
                _ = place.pointee.write(frames, from: input)
                return place.pointee.read(room, into: output)
            }
        }
    }

    /// Debian's `libsamplerate0`.
    private static func libsamplerate(_ name: String, quality: Int32) -> Subject {
        typealias Make =
            @convention(c) (Int32, Int32, UnsafeMutablePointer<Int32>) -> OpaquePointer?
        typealias Process = @convention(c) (OpaquePointer, UnsafeMutableRawPointer) -> Int32
        return Subject(name: name) { from, to, channels in
            guard let library = dlopen("libsamplerate.so.0", RTLD_NOW),
                let new = dlsym(library, "src_new"), let run = dlsym(library, "src_process")
            else { return nil }
            var status: Int32 = 0
            let process = unsafeBitCast(run, to: Process.self)
            guard
                let converter = unsafeBitCast(new, to: Make.self)(
                    quality, Int32(channels), &status)
            else { return nil }
            return { input, frames, output, room in
                var call = Call(
                    input: input, output: output, inputFrames: frames, outputFrames: room)
                call.ratio = to / from
                _ = process(converter, &call)
                return call.made
            }
        }
    }

    /// libsamplerate's `SRC_DATA`.
    private struct Call {
        var input: UnsafePointer<Float>
        var output: UnsafeMutablePointer<Float>
        var inputFrames: Int
        var outputFrames: Int
        var used = 0
        var made = 0
        var isEnd: Int32 = 0
        var ratio = 1.0
    }
}
