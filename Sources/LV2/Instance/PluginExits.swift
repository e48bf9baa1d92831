internal import CLilv

/// The effect of an `exit` that a plugin or another library calls, and of a crash.
public enum PluginExits {
    /// Makes an `exit` that a library calls block its thread instead of ending the program.
    ///
    /// An `exit` in a plugin's own functions always ends only the plugin's instance.
    ///
    /// - Parameter status: The program's exit status if a library calls `exit` on the main thread.
    public static func holdThreads(orEndWith status: Int32) { plugin_exit_hold_threads(status) }

    /// Reports the plugin whose function the calling thread is in, as a line on standard error.
    ///
    /// The handler of a crash may call it.
    public static func reportCrash() { plugin_report_crash() }

    /// Makes a plugin's `exit` end this process, which exists only for plugins.
    static func endProcess() { plugin_exit_ends_process() }
}
