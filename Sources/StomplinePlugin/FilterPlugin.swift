extension FilterKernel: PluginKernel {}
extension FilterKernel.Parameter: PluginParameter {}

/// Creates an instance of the filter; `plugin_free` frees it.
@_cdecl("filter_make")
public func makeFilter(sampleRate: Double, channelCount: Int32) -> UnsafeMutableRawPointer {
    let kernel = FilterKernel(
        channelCount: Int(channelCount), sampleRate: sampleRate, value: { $0.defaultValue })
    return startPlugin(
        EffectPlugin(kernel, channelCount: Int(channelCount), sampleRate: sampleRate))
}
