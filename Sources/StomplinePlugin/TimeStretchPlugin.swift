private typealias TimeStretchPlugin = EffectPlugin<TimeStretchKernel>

extension TimeStretchKernel: PluginKernel {
    static var parameterCount: Int { @_noLocks get { 2 } }

    @_noLocks
    static func range(ofParameter index: Int) -> ParameterRange {
        index == 0
            ? ParameterRange(lowest: 0, highest: rateLimit, defaultValue: 1)
            : ParameterRange(lowest: -limitSemitones, highest: limitSemitones)
    }
}

/// Makes an instance of the time stretch; `plugin_free` ends it.
@_cdecl("time_stretch_make")
public func makeTimeStretch(sampleRate: Double, channelCount: Int32, loops: Bool)
    -> UnsafeMutableRawPointer
{
    let kernel = TimeStretchKernel(
        channelCount: Int(channelCount), sampleRate: sampleRate, bufferSeconds: 10, loops: loops,
        rate: 1, semitones: 0)
    let plugin = TimeStretchPlugin(kernel, channelCount: Int(channelCount), sampleRate: sampleRate)
    return startPlugin(
        PluginInstance(
            state: allocateKernel(plugin),
            connect: {
                $0.assumingMemoryBound(to: TimeStretchPlugin.self).pointee.connect($1, to: $2)
            },
            activate: { $0.assumingMemoryBound(to: TimeStretchPlugin.self).pointee.activate() },
            run: {
                $0.assumingMemoryBound(to: TimeStretchPlugin.self).pointee.run(frameCount: Int($1))
            },
            free: { freeKernel($0, as: TimeStretchPlugin.self) }))
}
