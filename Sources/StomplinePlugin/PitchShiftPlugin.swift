extension MusicShiftKernel: PluginKernel {}
extension FastShiftKernel: PluginKernel {}
extension VoiceShiftKernel: PluginKernel {}
extension PitchControls.Parameter: PluginParameter {}

/// Creates an instance of the pitch shifter for music; `plugin_free` frees it.
@_cdecl("music_shift_make")
public func makeMusicShift(
    sampleRate: Double, channelCount: Int32, isLong: Bool, keepsFormants: Bool
) -> UnsafeMutableRawPointer {
    let kernel = MusicShiftKernel(
        channelCount: Int(channelCount), sampleRate: sampleRate, isLong: isLong,
        keepsFormants: keepsFormants, semitones: 0, cents: 0, formantSemitones: 0)
    return startPlugin(
        EffectPlugin(kernel, channelCount: Int(channelCount), sampleRate: sampleRate))
}

/// Creates an instance of the pitch shifter for music with the least latency; `plugin_free` frees it.
@_cdecl("fast_shift_make")
public func makeFastShift(sampleRate: Double, channelCount: Int32) -> UnsafeMutableRawPointer {
    let kernel = FastShiftKernel(
        channelCount: Int(channelCount), sampleRate: sampleRate, keepsFormants: false,
        semitones: 0, cents: 0, formantSemitones: 0)
    return startPlugin(
        EffectPlugin(kernel, channelCount: Int(channelCount), sampleRate: sampleRate))
}

/// Creates an instance of the pitch shifter for a voice; `plugin_free` frees it.
@_cdecl("voice_shift_make")
public func makeVoiceShift(sampleRate: Double, channelCount: Int32, followsPitch: Bool)
    -> UnsafeMutableRawPointer
{
    let kernel = VoiceShiftKernel(
        channelCount: Int(channelCount), sampleRate: sampleRate, followsPitch: followsPitch,
        semitones: 0, cents: 0, formantSemitones: 0)
    return startPlugin(
        EffectPlugin(kernel, channelCount: Int(channelCount), sampleRate: sampleRate))
}
