internal import CLilv

/// The effect of an `exit` that a plugin or another library calls.
public enum PluginExits {
    /// Makes an `exit` that a library calls block its thread instead of ending the program.
    ///
    /// An `exit` in a plugin's own functions always ends only the plugin's instance.
    ///
    /// - Parameter status: The program's exit status if a library calls `exit` on the main thread.
    public static func holdThreads(orEndWith status: Int32) { plugin_exit_hold_threads(status) }

    /// Makes a plugin's `exit` end this process, which exists only for plugins.
    static func endProcess() { plugin_exit_ends_process() }
}
