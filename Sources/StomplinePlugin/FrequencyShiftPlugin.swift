extension FrequencyShiftKernel: PluginKernel {}
extension FrequencyShiftKernel.Parameter: PluginParameter {}

/// Creates an instance of the frequency shifter; `plugin_free` frees it.
@_cdecl("frequency_shift_make")
public func makeFrequencyShift(sampleRate: Double, channelCount: Int32, folds: Bool)
    -> UnsafeMutableRawPointer
{
    let kernel = FrequencyShiftKernel(
        channelCount: Int(channelCount), sampleRate: sampleRate, folds: folds, shiftHertz: 0,
        feedback: 0)
    return startPlugin(
        EffectPlugin(kernel, channelCount: Int(channelCount), sampleRate: sampleRate))
}
