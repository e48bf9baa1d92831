internal import Realtime

extension HarmonyKernel: PluginKernel {
    var reportValues: UnsafePointer<Float>? { UnsafePointer(reports.start) }
    var reportCount: Int { reports.count }
}
extension HarmonyControls.Parameter: PluginParameter {}

/// Creates an instance of the harmoniser with four voices; `plugin_free` frees it.
@_cdecl("harmony_make")
public func makeHarmony(sampleRate: Double, keepsIntervals: Bool) -> UnsafeMutableRawPointer {
    let kernel = HarmonyKernel(
        voiceCount: HarmonyControls.voiceLimit, mode: keepsIntervals ? .interval : .key,
        sampleRate: sampleRate, controls: HarmonyControls { $0.defaultValue })
    return startPlugin(
        EffectPlugin(kernel, channelCount: 1, outputCount: 2, sampleRate: sampleRate))
}
