private typealias MusicShiftPlugin = EffectPlugin<MusicShiftKernel>
private typealias VoiceShiftPlugin = EffectPlugin<VoiceShiftKernel>

extension MusicShiftKernel: PluginKernel {
    static var parameterCount: Int { @_noLocks get { PitchControls.parameterCount } }

    @_noLocks
    static func range(ofParameter index: Int) -> ParameterRange {
        PitchControls.range(ofParameter: index)
    }
}

extension VoiceShiftKernel: PluginKernel {
    static var parameterCount: Int { @_noLocks get { PitchControls.parameterCount } }

    @_noLocks
    static func range(ofParameter index: Int) -> ParameterRange {
        PitchControls.range(ofParameter: index)
    }
}

extension PitchControls {
    /// Semitones, cents, the formants' semitones.
    fileprivate static var parameterCount: Int { @_noLocks get { 3 } }

    @_noLocks
    fileprivate static func range(ofParameter index: Int) -> ParameterRange {
        let limit = index == 1 ? limitCents : limitSemitones
        return ParameterRange(lowest: -limit, highest: limit)
    }
}

/// Makes an instance of the pitch shifter for music; `plugin_free` ends it.
@_cdecl("music_shift_make")
public func makeMusicShift(
    sampleRate: Double, channelCount: Int32, isLong: Bool, keepsFormants: Bool
) -> UnsafeMutableRawPointer {
    let kernel = MusicShiftKernel(
        channelCount: Int(channelCount), sampleRate: sampleRate, isLong: isLong,
        keepsFormants: keepsFormants, semitones: 0, cents: 0, formantSemitones: 0)
    let plugin = MusicShiftPlugin(kernel, channelCount: Int(channelCount), sampleRate: sampleRate)
    return startPlugin(
        PluginInstance(
            state: allocateKernel(plugin),
            connect: {
                $0.assumingMemoryBound(to: MusicShiftPlugin.self).pointee.connect($1, to: $2)
            },
            activate: { $0.assumingMemoryBound(to: MusicShiftPlugin.self).pointee.activate() },
            run: {
                $0.assumingMemoryBound(to: MusicShiftPlugin.self).pointee.run(frameCount: Int($1))
            },
            free: { freeKernel($0, as: MusicShiftPlugin.self) }))
}

/// Makes an instance of the pitch shifter for a voice; `plugin_free` ends it.
@_cdecl("voice_shift_make")
public func makeVoiceShift(sampleRate: Double, channelCount: Int32, followsPitch: Bool)
    -> UnsafeMutableRawPointer
{
    let kernel = VoiceShiftKernel(
        channelCount: Int(channelCount), sampleRate: sampleRate, followsPitch: followsPitch,
        parameters: (0, 0, 0))
    let plugin = VoiceShiftPlugin(kernel, channelCount: Int(channelCount), sampleRate: sampleRate)
    return startPlugin(
        PluginInstance(
            state: allocateKernel(plugin),
            connect: {
                $0.assumingMemoryBound(to: VoiceShiftPlugin.self).pointee.connect($1, to: $2)
            },
            activate: { $0.assumingMemoryBound(to: VoiceShiftPlugin.self).pointee.activate() },
            run: {
                $0.assumingMemoryBound(to: VoiceShiftPlugin.self).pointee.run(frameCount: Int($1))
            },
            free: { freeKernel($0, as: VoiceShiftPlugin.self) }))
}
