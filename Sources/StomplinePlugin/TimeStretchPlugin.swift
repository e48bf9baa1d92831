internal import DSP

extension TimeStretchKernel: PluginKernel {}
extension TimeStretchKernel.Parameter: PluginParameter {}

/// Creates an instance of the time stretch; `plugin_free` frees it.
@_cdecl("time_stretch_make")
public func makeTimeStretch(sampleRate: Double, channelCount: Int32, loops: Bool)
    -> UnsafeMutableRawPointer
{
    let bufferSeconds = 10.0
    let ring = CaptureRing(
        channelCount: Int(channelCount),
        capacityFrames: TimeStretchKernel.capacityFrames(
            bufferSeconds: bufferSeconds, sampleRate: sampleRate))
    let kernel = TimeStretchKernel(
        ring: ring, sampleRate: sampleRate, bufferSeconds: bufferSeconds, loops: loops, rate: 1,
        semitones: 0)
    return startPlugin(
        EffectPlugin(kernel, channelCount: Int(channelCount), sampleRate: sampleRate))
}
