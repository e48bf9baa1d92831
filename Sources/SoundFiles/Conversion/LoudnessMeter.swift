internal import CEbur128

/// Measures integrated loudness and true peak (EBU R 128) with libebur128.
package final class LoudnessMeter {
    private let state: UnsafeMutablePointer<ebur128_state>

    /// Creates a meter (`ebur128_init`); returns `nil` for an unsupported rate or channel count.
    package init?(channels: Int, sampleRate: Double) {
        guard
            let state = ebur128_init(
                UInt32(channels), UInt(sampleRate), loudness_meter_mode)
        else { return nil }
        self.state = state
    }

    deinit {
        var state: UnsafeMutablePointer<ebur128_state>? = state
        ebur128_destroy(&state)
    }

    /// Adds interleaved frames (`ebur128_add_frames_float`).
    package func add(_ frames: Int, _ samples: UnsafePointer<Float>) {
        ebur128_add_frames_float(state, samples, frames)
    }

    /// The loudness in LUFS; `nil` if the sound is too quiet (`ebur128_loudness_global`).
    package var integrated: Double? {
        var loudness = 0.0
        ebur128_loudness_global(state, &loudness)
        return loudness.isFinite ? loudness : nil
    }

    /// The highest magnitude, including between samples; 1 is full scale (`ebur128_true_peak`).
    package var truePeak: Double {
        (0..<state.pointee.channels).reduce(0) { highest, channel in
            var peak = 0.0
            ebur128_true_peak(state, channel, &peak)
            return max(highest, peak)
        }
    }
}
