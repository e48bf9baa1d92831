internal import Realtime

extension FreezeKernel: PluginKernel {
    var reportValues: UnsafePointer<Float>? { UnsafePointer(reports.start) }
    var reportCount: Int { reports.count }
}
extension FreezeKernel.Parameter: PluginParameter {}

/// Creates an instance of the freeze effect; `plugin_free` frees it.
@_cdecl("freeze_make")
public func makeFreeze(sampleRate: Double, channelCount: Int32) -> UnsafeMutableRawPointer {
    let kernel = FreezeKernel(channelCount: Int(channelCount), sampleRate: sampleRate) {
        $0.defaultValue
    }
    return startPlugin(
        EffectPlugin(kernel, channelCount: Int(channelCount), sampleRate: sampleRate))
}
