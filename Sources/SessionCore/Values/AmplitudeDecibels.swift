internal import Realtime

extension Double {
    /// The level of an amplitude in dB, at least -160.
    package var decibels: Double {
        self > 0 ? max(-160, Decibels(amplitude: self).value) : -160
    }
}
