internal import Realtime

extension HarmonyKernel: PluginKernel {
    var reportValues: UnsafePointer<Float>? { UnsafePointer(reports.start) }
    var reportCount: Int { reports.count }
}
extension HarmonyControls.Parameter: PluginParameter {}

/// Creates an instance of the harmoniser with four voices; `plugin_free` frees it.
///
/// The mode is the index of a case of `HarmonyMode`.
@_cdecl("harmony_make")
public func makeHarmony(sampleRate: Double, mode: Int32) -> UnsafeMutableRawPointer {
    let modes: [HarmonyMode] = [.key, .interval, .midi]
    let kernel = HarmonyKernel(
        voiceCount: HarmonyControls.voiceLimit, mode: modes[Int(mode)], sampleRate: sampleRate,
        controls: HarmonyControls { $0.defaultValue })
    return startPlugin(
        EffectPlugin(
            kernel, channelCount: 1, outputCount: 2, sampleRate: sampleRate,
            receivesEvents: mode == 2))
}
