internal import Realtime

extension TunerKernel: PluginKernel {
    var reportValues: UnsafePointer<Float>? { UnsafePointer(reports.start) }
    var reportCount: Int { reports.count }
}
extension TunerKernel.Parameter: PluginParameter {}

/// Creates an instance of the tuner; `plugin_free` frees it.
@_cdecl("tuner_make")
public func makeTuner(sampleRate: Double, channelCount: Int32) -> UnsafeMutableRawPointer {
    let kernel = TunerKernel(
        channelCount: Int(channelCount), sampleRate: sampleRate,
        reference: Double(TunerKernel.Parameter.reference.defaultValue))
    return startPlugin(
        EffectPlugin(kernel, channelCount: Int(channelCount), sampleRate: sampleRate))
}
