import Glibc
import Players

/// Reads five minutes of an endless stream as fast as they come, and keeps none of them.
///
/// usage: stream-reader URL [DESCRIPTORS]
///
/// Prints "started" after a second of sound, then lets the stream wait for 1.5 s. Prints "read"
/// after the five minutes, or the reason why the stream ended, and waits until standard input is
/// closed.
///
/// With a number of descriptors, the process may not open more, and closes the stream after its
/// first second or its failure. It then prints "closed".
@main
struct StreamReader {
    private static let sampleRate = 48_000

    static func main() throws {
        let arguments = CommandLine.arguments
        guard (2...3).contains(arguments.count) else { exit(64) }
        let descriptors = arguments.count == 3 ? rlim_t(arguments[2]) : nil
        if let descriptors {
            var limits = rlimit(rlim_cur: descriptors, rlim_max: descriptors)
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
        }
        let source = NetworkSource(
            try NetworkURL(arguments[1]),
            format: StreamFormat(sampleRate: sampleRate, channels: 2), reach: .allHosts)
        say(read(source, frames: sampleRate) ?? "started")
        if descriptors != nil {
            source.close()
            return say("closed")
        }
        usleep(1_500_000)
        say(read(source, frames: 300 * sampleRate) ?? "read")
        while readLine() != nil {}
    }

    private static func say(_ line: String) {
        print(line)
        fflush(nil)
    }

    /// Reads at least the given number of frames.
    ///
    /// - Returns: The reason why the stream ended before; `nil` if it did not.
    private static func read(_ source: NetworkSource, frames wanted: Int) -> String? {
        var block = [Float](repeating: 0, count: 9600)
        var frames = 0
        while frames < wanted {
            let result = block.withUnsafeMutableBufferPointer { block in
                source.read(4800, into: block.baseAddress.unsafelyUnwrapped)
            }
            switch result {
            case .frames(let count): frames += count
            case .waiting: usleep(1000)
            case .ended, .failed: return "\(result)"
            }
        }
        return nil
    }
}
