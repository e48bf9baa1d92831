// LV2's functions for the frequency shifter; Descriptors.c lists them.

/// Makes an instance; `freeFrequencyShift` ends it.
@_cdecl("frequency_shift_make")
public func makeFrequencyShift(sampleRate: Double, folds: Bool) -> UnsafeMutableRawPointer {
    allocateKernel(FrequencyShiftPlugin(sampleRate: sampleRate, folds: folds))
}

/// Tells where a port's signal or control lies.
@_cdecl("frequency_shift_connect")
public func connectFrequencyShift(
    _ instance: UnsafeMutableRawPointer, _ port: UInt32, _ data: UnsafeMutablePointer<Float>?
) {
    instance.assumingMemoryBound(to: FrequencyShiftPlugin.self).pointee.connect(port, to: data)
}

/// Forgets what was heard; the controls hold at once in the next run.
@_cdecl("frequency_shift_activate")
public func activateFrequencyShift(_ instance: UnsafeMutableRawPointer) {
    instance.assumingMemoryBound(to: FrequencyShiftPlugin.self).pointee.activate()
}

/// Renders frames.
///
/// Real-time safe.
@_cdecl("frequency_shift_run")
public func runFrequencyShift(_ instance: UnsafeMutableRawPointer, _ frameCount: UInt32) {
    instance.assumingMemoryBound(to: FrequencyShiftPlugin.self).pointee.run(
        frameCount: Int(frameCount))
}

/// Ends an instance.
@_cdecl("frequency_shift_free")
public func freeFrequencyShift(_ instance: UnsafeMutableRawPointer) {
    freeKernel(instance, as: FrequencyShiftPlugin.self)
}
