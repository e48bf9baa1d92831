internal import Realtime

extension FeedbackGuardKernel: PluginKernel {
    var reportValues: UnsafePointer<Float>? { UnsafePointer(reports.start) }
    var reportCount: Int { reports.count }
}
extension FeedbackGuardKernel.Parameter: PluginParameter {}

/// Creates an instance of the feedback guard; `plugin_free` frees it.
@_cdecl("feedback_guard_make")
public func makeFeedbackGuard(sampleRate: Double, channelCount: Int32) -> UnsafeMutableRawPointer {
    let kernel = FeedbackGuardKernel(channelCount: Int(channelCount), sampleRate: sampleRate) {
        $0.defaultValue
    }
    return startPlugin(
        EffectPlugin(kernel, channelCount: Int(channelCount), sampleRate: sampleRate))
}
