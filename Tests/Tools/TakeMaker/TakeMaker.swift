import CRealtime
import Glibc
import Processing
import Recorders
import SlowDisk

/// Records a stereo signal in every format in real time, until it is terminated or a time has
/// passed.
///
/// usage: take-maker FOLDER RATE noise|silence SECONDS [LIMIT-BYTES [STILL-MILLISECONDS]]
///
/// Prints the number of recorded frames, one line per block. At the end it prints the recorders'
/// reports and incidents.
@main
struct TakeMaker {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count > 4, let rate = Double(arguments[2]),
            let seconds = Double(arguments[4])
        else { exit(64) }
        if arguments.count > 5, let limit = rlim_t(arguments[5]), limit > 0 {
            var limits = rlimit(rlim_cur: limit, rlim_max: limit)
            setrlimit(__rlimit_resource_t(1), &limits)
        }
        let still = arguments.count > 6 ? Int32(arguments[6]) ?? 0 : 0
        let session = RecordingSession(
            folder: arguments[1], sampleRate: rate, isSilent: arguments[3] == "silence")
        session.play(seconds: seconds) { frames in
            if still > 0, frames == Int(rate) / 256 * 256 { slow_disk_stand_still(still) }
            say("\(frames)\n")
        }
        session.end()
    }
}

/// Writes a text in a single call, so that no text is cut if the program is terminated.
func say(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(STDOUT_FILENO, bytes, bytes.count)
}
