internal import Realtime

extension TuneKernel: PluginKernel {
    var reportValues: UnsafePointer<Float>? { UnsafePointer(reports.start) }
    var reportCount: Int { reports.count }
}
extension TuneControls.Parameter: PluginParameter {}

/// Creates an instance of the pitch correction; `plugin_free` frees it.
@_cdecl("tune_make")
public func makeTune(sampleRate: Double, channelCount: Int32) -> UnsafeMutableRawPointer {
    let kernel = TuneKernel(
        channelCount: Int(channelCount), sampleRate: sampleRate,
        controls: TuneControls(notes: nil) { $0.defaultValue })
    return startPlugin(
        EffectPlugin(
            kernel, channelCount: Int(channelCount), sampleRate: sampleRate, receivesEvents: true))
}
