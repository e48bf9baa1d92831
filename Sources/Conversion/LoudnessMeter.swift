internal import CEbur128

/// Integrated loudness and true peak after EBU R 128, by libebur128.
final class LoudnessMeter {
    private let state: UnsafeMutablePointer<ebur128_state>

    /// A meter that has heard nothing (`ebur128_init`); nil for a rate or a number of channels that it cannot measure.
    init?(channels: Int, sampleRate: Double) {
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

    /// Hears frames, channel beside channel (`ebur128_add_frames_float`).
    func hear(_ frames: Int, _ samples: UnsafePointer<Float>) {
        ebur128_add_frames_float(state, samples, frames)
    }

    /// In LUFS; nil where nothing was loud enough (`ebur128_loudness_global`).
    var integrated: Double? {
        var loudness = 0.0
        ebur128_loudness_global(state, &loudness)
        return loudness.isFinite ? loudness : nil
    }

    /// The highest magnitude between the samples, 1 for full scale (`ebur128_true_peak`).
    var truePeak: Double {
        (0..<state.pointee.channels).reduce(0) { highest, channel in
            var peak = 0.0
            ebur128_true_peak(state, channel, &peak)
            return max(highest, peak)
        }
    }
}
