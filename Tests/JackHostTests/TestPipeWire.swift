import Glibc
import JackHost
import Testing
import TestSignals

/// The PipeWires that take the place of JACK's servers if the JACK library of this process is
/// PipeWire's.
///
/// Their driver waits for all clients in every cycle. PipeWire's own drivers begin each cycle by
/// the clock: a client that has not finished the last one then misses a cycle, and on a busy
/// machine that happens several times per second.
enum TestPipeWire {
    /// The name of the server that programs use if they name none.
    static let defaultName = "pipewire-0"

    /// Returns the command that starts a PipeWire.
    ///
    /// All programs that this process starts from now on find it by its name.
    ///
    /// - Parameters:
    ///   - name: The name of its socket, which JACK's programs use as the name of the server.
    ///   - sampleRate: In Hz.
    ///   - blockFrames: The default quantum.
    /// - Returns: The command. Its process becomes PipeWire's.
    static func command(name: String, sampleRate: Int, blockFrames: Int) -> [String] {
        let text = PrivatePipeWire.configuration(
            name: name, sampleRate: sampleRate, frames: blockFrames,
            // The driver of the group drives the sink too.
            sink: """
                node.name = system media.class = Audio/Duplex audio.channels = 2
                node.group = pipewire.dummy
                """,
            driver: "test.waiting-driver",
            // JACK's servers have any number of frames.
            properties: "clock.power-of-two-quantum = false")
        let script = """
            export SPA_PLUGIN_DIR="$(pkg-config --variable=plugindir libspa-0.2):$1"
            exec pipewire -c "$2"
            """
        return ["sh", "-c", script, "sh", folder.path, folder.write(text, to: name + ".conf")]
    }

    /// The runtime folder of all programs of the tests, with the library of the driver.
    private static let folder: ScratchFolder = {
        // The runtime folder of the programs, for their black boxes too.
        let folder = ScratchFolder.inRAM
        for variable in PrivatePipeWire.variables(folder.path) {
            let parts = variable.split(separator: "=", maxSplits: 1).map(String.init)
            setenv(parts[0], parts[1], 1)
        }
        PipeWireProperties.playDuringCallbacks()
        let source = #filePath.dropLast("TestPipeWire.swift".count)
        let compiler = startProgram([
            "sh", "-c",
            """
            exec cc -std=c11 -D_GNU_SOURCE -O2 -Wall -Werror -shared -fPIC \
                $(pkg-config --cflags libspa-0.2) "$1" -o "$2"
            """,
            "sh", source + "WaitingDriver/waiting-driver.c", folder.file("waiting-driver.so"),
        ])
        var status: Int32 = -1
        waitpid(compiler, &status, 0)
        #expect(status == 0, "the driver cannot be built; is libspa-0.2-dev installed?")
        return folder
    }()
}
