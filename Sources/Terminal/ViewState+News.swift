package import JackHost
internal import Pipelines
package import Show

// What changes the view.
extension ViewState {
    /// A peak of full scale, in dB: a bit of rounding below it counts as well.
    private static let clippingDecibels = -0.01

    /// Takes what a show tells.
    package mutating func take(_ notice: Notice) {
        switch notice {
        case .changed(let entry): take(entry)
        case .structure: values = [:]
        case .level(let port, let peak, let rms): take(peak: peak, rms: rms, of: port)
        case .load(let mean, let worst, let xruns):
            load = (mean, worst)
            self.xruns = xruns
        case .pitch(let hertz): self.hertz = hertz
        }
    }

    /// Takes what came of a wish.
    package mutating func take(_ answer: Answer) {
        switch answer {
        case .done: refusal = nil
        case .values(let entries): entries.forEach { take($0) }
        case .refused(let reason, let suggestion):
            refusal = reason + (suggestion.map { " (did you mean \($0)?)" } ?? "")
        }
    }

    /// Takes what a session tells.
    package mutating func take(_ event: SessionEvent) {
        switch event {
        case .status(let status): take(status)
        case .overrun(let node, _): lateNode = node
        default: break
        }
    }

    /// Takes what the nodes cost.
    package mutating func take(_ loads: [NodeLoad]) {
        nodeLoads = loads.sorted { $0.worst > $1.worst }
    }

    /// Takes another choice; ports that are no more are forgotten as soon as the others have been heard.
    package mutating func take(_ programme: Programme) {
        self.programme = programme
        ports = []
        meters = [:]
        lateNode = nil
        nodeLoads = []
    }

    private mutating func take(_ entry: Answer.Entry) {
        values[entry.address] = entry.value
        if entry.address == "tuner" { hertz = 0 }
    }

    private mutating func take(_ status: SessionStatus) {
        load = (status.meanLoad, status.worstLoad)
        xruns = status.xruns
        latencySeconds = Double(status.roundTripFrames) / status.sampleRate
        limiterGain = status.limiterGain
        // A show tells levels itself, with the RMS.
        for level in status.outputs where meters[level.port]?.rms == nil {
            take(peak: max(-160, level.peak.decibels), rms: nil, of: level.port)
        }
    }

    private mutating func take(peak: Double, rms: Double?, of port: String) {
        if meters[port] == nil { ports.append(port) }
        let hadClipped = meters[port]?.hasClipped ?? false
        meters[port] = Meter(
            peak: peak, rms: rms, hasClipped: hadClipped || peak >= Self.clippingDecibels)
    }
}
