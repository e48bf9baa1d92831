internal import CRealtime

extension StretchEngine {
    /// Moves along the input to the position where its phases match the output best, so that the
    /// return to rate 1 leaves no dip in level.
    @_noLocks
    mutating func land() {
        let likeness = memory.frame(0)
        transform.inverse(
            real: memory.match.real, imaginary: memory.match.imaginary, output: likeness)
        let count = lengths.transformFrames
        var best = 0
        for step in -lengths.landingFrames...lengths.landingFrames
        where likeness[(count - step) % count] > likeness[(count - best) % count] {
            best = step
        }
        inputFrame += Double(best)
        hop.centreFrame += best
        landingFrames = best
    }

    /// Rotates the match with the input to account for the distance moved along the input.
    @_noLocks
    func delayMatch() {
        var rotor = Rotor()
        rotor.setStep(
            radians: -2 * Double.pi * Double(landingFrames) / Double(lengths.transformFrames))
        let match = memory.match
        for bin in 0..<transform.bins {
            let (cosine, sine) = rotor.next()
            let (real, imaginary) = (Double(match.real[bin]), Double(match.imaginary[bin]))
            match.real[bin] = Float(real * cosine - imaginary * sine)
            match.imaginary[bin] = Float(real * sine + imaginary * cosine)
        }
    }
}
