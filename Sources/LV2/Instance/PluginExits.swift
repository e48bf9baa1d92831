internal import CLilv

/// The effect of an `exit` that a plugin or another library calls.
public enum PluginExits {
    /// From now on, an `exit` that a library calls holds its thread instead of ending the program.
    ///
    /// An `exit` in a plugin's own functions always ends only the plugin's instance.
    ///
    /// - Parameter status: The program's exit status if a library calls `exit` on the main thread.
    public static func holdThreads(orEndWith status: Int32) { plugin_exit_hold_threads(status) }

    /// From now on, a plugin's `exit` ends this process, which exists only for plugins.
    static func endProcess() { plugin_exit_ends_process() }
}
