/// The changes of settings that the processors of an effect follow while they run.
///
/// A node whose settings change in another way gets a new processor. The processors of an effect
/// with a rule must have a `Processor.settingsFollower`.
public struct SettingsRule: Sendable {
    /// Returns whether a processor with the first settings can follow a change to the second ones.
    ///
    /// Both are valid settings of the effect.
    public var allows: @Sendable ([String: SettingValue], [String: SettingValue]) -> Bool
    /// Estimates how many bytes a processor with these settings allocates for a request with
    /// changed settings.
    public var memoryBytes: @Sendable ([String: SettingValue], ProcessorRequest) -> Int

    /// Creates a rule; the parameters have the meaning of the properties.
    public init(
        allows: @escaping @Sendable ([String: SettingValue], [String: SettingValue]) -> Bool,
        memoryBytes: @escaping @Sendable ([String: SettingValue], ProcessorRequest) -> Int
    ) {
        self.allows = allows
        self.memoryBytes = memoryBytes
    }
}

/// Changes the settings of a running processor; never on the audio thread.
public protocol SettingsFollower: AnyObject {
    /// Prepares the resources that the processor needs for changed settings; the processor does not
    /// change.
    ///
    /// This may take as long as creating a processor.
    ///
    /// - Parameter request: The request for the processor, with settings that the effect's
    ///   `SettingsRule` allows; everything except settings and parameters is unchanged.
    /// - Returns: The change.
    /// - Throws: `PluginError` if a file cannot be read or there is not enough memory.
    func prepareChange(to request: ProcessorRequest) throws(PluginError) -> any SettingsChange
}

/// A prepared change of the settings of a running processor.
///
/// A change that is released without `commit` has no effect.
public protocol SettingsChange: AnyObject {
    /// Makes the processor use the changed settings from its next cycle on.
    ///
    /// Callable while the audio thread runs the processor, but not on the audio thread. It only
    /// allocates small tables: everything slow was done before. A second call has no effect.
    func commit()
}
