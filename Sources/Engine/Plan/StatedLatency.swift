public import Pipelines

extension Pipeline {
    /// Returns the latency that the file states for each input, in frames; `nil` if it states none.
    package func statedInputFrames(sampleRate: Double) -> [Int?] {
        inputs.map { frames($0.latencyMilliseconds, sampleRate) }
    }

    /// Returns the latency that the file states for each output, in frames; `nil` if it states none.
    package func statedOutputFrames(sampleRate: Double) -> [Int?] {
        outputs.map { frames($0.latencyMilliseconds, sampleRate) }
    }

    /// The pipeline without the latencies that the file states for its inputs.
    ///
    /// The files of an offline render begin together, so no input is late.
    public var withoutInputLatencies: Pipeline {
        var pipeline = self
        for index in inputs.indices { pipeline.inputs[index].latencyMilliseconds = nil }
        return pipeline
    }
}

private func frames(_ milliseconds: Double?, _ sampleRate: Double) -> Int? {
    milliseconds.map { Int(min(max($0 / 1000 * sampleRate, 0), 1e6).rounded()) }
}
