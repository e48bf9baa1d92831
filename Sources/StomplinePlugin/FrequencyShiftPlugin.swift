private typealias FrequencyShiftPlugin = EffectPlugin<FrequencyShiftKernel>

extension FrequencyShiftKernel: PluginKernel {
    static var parameterCount: Int { @_noLocks get { 2 } }

    @_noLocks
    static func range(ofParameter index: Int) -> ParameterRange {
        index == 0
            ? ParameterRange(lowest: -shiftLimitHertz, highest: shiftLimitHertz)
            : ParameterRange(lowest: 0, highest: feedbackLimit)
    }
}

/// Makes an instance of the frequency shifter; `plugin_free` ends it.
@_cdecl("frequency_shift_make")
public func makeFrequencyShift(sampleRate: Double, channelCount: Int32, folds: Bool)
    -> UnsafeMutableRawPointer
{
    let kernel = FrequencyShiftKernel(
        channelCount: Int(channelCount), sampleRate: sampleRate, folds: folds, shiftHertz: 0,
        feedback: 0)
    let plugin = FrequencyShiftPlugin(
        kernel, channelCount: Int(channelCount), sampleRate: sampleRate)
    return startPlugin(
        PluginInstance(
            state: allocateKernel(plugin),
            connect: {
                $0.assumingMemoryBound(to: FrequencyShiftPlugin.self).pointee.connect($1, to: $2)
            },
            activate: { $0.assumingMemoryBound(to: FrequencyShiftPlugin.self).pointee.activate() },
            run: {
                $0.assumingMemoryBound(to: FrequencyShiftPlugin.self).pointee.run(
                    frameCount: Int($1))
            },
            free: { freeKernel($0, as: FrequencyShiftPlugin.self) }))
}
