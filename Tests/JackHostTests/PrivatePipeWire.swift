import Glibc
import TestSignals

/// A PipeWire with its own runtime folder and a sink that discards its sound, without a session
/// bus.
struct PrivatePipeWire {
    /// The command that sets the environment of PipeWire's programs.
    let environment: [String]
    /// The command that runs a program with PipeWire's JACK library on this PipeWire.
    let launcher: [String]
    /// The command that starts PipeWire.
    let command: [String]
    let server: ForeignServer
    let folder = ScratchFolder.inRAM

    /// Prepares a PipeWire without starting it.
    ///
    /// - Parameters:
    ///   - frames: The default quantum.
    ///   - properties: Further properties of the context.
    init(frames: Int = 256, properties: String = "") {
        let file = folder.write(
            Self.configuration(frames: frames, properties: properties), to: "pipewire.conf")
        environment = ["env"] + Self.variables(folder.path)
        launcher = environment + ["pw-jack"]
        command = environment + ["pipewire", "-c", file]
        server = ForeignServer(name: "pipewire-0", command: command, launcher: launcher)
    }

    /// The variables for which a folder replaces those of the user.
    static func variables(_ folder: String) -> [String] {
        [
            "XDG_RUNTIME_DIR=" + folder, "PIPEWIRE_RUNTIME_DIR=" + folder,
            "XDG_CONFIG_HOME=\(folder)/config",
            "XDG_STATE_HOME=\(folder)/state",
        ]
    }

    /// Sets the properties of all JACK clients that start from now on.
    func setJackProperties(_ properties: String) {
        server.run(["mkdir", "-p", folder.file("config/pipewire/jack.conf.d")])
        folder.write(
            "jack.properties = { \(properties) }", to: "config/pipewire/jack.conf.d/test.conf")
    }

    /// Forces a quantum for the whole graph; 0 ends that.
    func force(frames: Int) {
        server.run(
            environment + [
                "pw-metadata", "-n", "settings", "0", "clock.force-quantum", "\(frames)",
            ])
    }

    /// Starts WirePlumber, PipeWire's session manager, with a session bus of its own.
    ///
    /// - Returns: The running manager, or `nil` if PipeWire does not list it within 5 s.
    func startSessionManager() -> SessionManager? {
        let file = folder.file("wireplumber.pid")
        server.run(["rm", "-f", file])
        let starter = startProgram(
            environment + [
                "dbus-run-session", "--", "sh", "-c", "echo $$ >'\(file)'; exec wireplumber",
            ])
        let number: pid_t? = waitUntil {
            guard server.run(environment + ["pw-cli", "ls", "Client"]).contains("WirePlumber")
            else { return nil }
            return pid_t(server.run(["cat", file]).filter(\.isNumber))
        }
        return number.map { SessionManager(starter: starter, process: $0) }
    }

    /// A running WirePlumber.
    struct SessionManager {
        /// The process of its session bus, which ends with it.
        fileprivate let starter: pid_t
        fileprivate let process: pid_t

        /// Kills it as a crash would.
        func kill() {
            Glibc.kill(process, SIGKILL)
            waitpid(starter, nil, 0)
        }
    }

    /// Starts `stompline run` with PipeWire's JACK library as soon as PipeWire accepts it.
    func play(_ file: String, _ arguments: String...) -> Program? {
        waitUntil {
            let all = ["run", file, "--json", "--no-start-server"] + arguments
            guard let program = try? Program(all, by: launcher) else { return nil }
            return program.waitFor(event: "started") == nil ? nil : program
        }
    }

    /// Returns the configuration of a PipeWire.
    ///
    /// - Parameters:
    ///   - name: The name of its socket, which JACK's programs use as the name of the server.
    ///   - sampleRate: The only sample rate, in Hz.
    ///   - frames: The default quantum.
    ///   - sink: The properties of the sink that discards its sound.
    ///   - driver: The factory of the driver, which begins the cycles.
    ///   - properties: Further properties of the context.
    /// - Returns: The text of a configuration file.
    static func configuration(
        name: String = "pipewire-0", sampleRate: Int = 48_000, frames: Int,
        sink: String = "node.name = nowhere media.class = Audio/Sink audio.position = [ FL FR ]",
        driver: String = "support.node.driver", properties: String = ""
    ) -> String {
        """
        context.properties = {
            core.daemon = true
            core.name = "\(name)"
            support.dbus = false
            default.clock.rate = \(sampleRate)
            default.clock.quantum = \(frames)
            default.clock.min-quantum = 16
            default.clock.allowed-rates = [ \(sampleRate) ]
            \(properties)
        }
        context.spa-libs = {
            audio.convert.* = audioconvert/libspa-audioconvert
            support.* = support/libspa-support
            test.* = waiting-driver
        }
        context.modules = [
            { name = libpipewire-module-rt flags = [ ifexists nofail ] }
            { name = libpipewire-module-protocol-native }
            { name = libpipewire-module-metadata }
            { name = libpipewire-module-spa-node-factory }
            { name = libpipewire-module-client-node }
            { name = libpipewire-module-client-device }
            { name = libpipewire-module-access }
            { name = libpipewire-module-adapter }
            { name = libpipewire-module-link-factory }
            { name = libpipewire-module-session-manager }
        ]
        context.objects = [
            { factory = metadata args = { metadata.name = default } }
            { factory = spa-node-factory args = {
                factory.name = \(driver) node.name = Dummy-Driver
                node.group = pipewire.dummy priority.driver = 20000
            } }
            { factory = adapter args = {
                factory.name = support.null-audio-sink \(sink)
                adapter.auto-port-config = { mode = dsp monitor = true position = preserve }
            } }
        ]
        """
    }
}
