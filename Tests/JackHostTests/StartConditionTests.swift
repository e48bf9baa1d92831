import Glibc
import JackHost
import SessionCore
import SoundFiles
import Testing
import TestSignals

extension JackTests {
    /// Conditions that the parent process sets: descriptors, limits, the environment.
    @Suite struct StartConditionTests {
        private let folder = ScratchFolder()
        private var file: String {
            folder.write(
                """
                {"version": 1, "name": "Start", "nodes": [
                  {"id": "tape", "type": "recorder", "parameters": {"recording": true},
                   "settings": {"file": "takes/a.wav"}}]}
                """, to: "show.json")
        }

        @Test(
            "the recording and the metadata are complete if standard descriptors are closed",
            arguments: ["<&-", ">&-", "2>&-", "<&- >&-", "<&- 2>&-", ">&- 2>&-", "<&- >&- 2>&-"])
        func closed(redirections: String) throws {
            let patchbay = try Patchbay()
            let program = try start("exec \"$0\" \"$@\" \(redirections)", "--duration", "1")
            // The port may first have the name of an earlier one.
            let isNamed = waitUntil {
                patchbay.metadata("Start:in_1", "http://jackaudio.org/metadata/pretty-name")
                    == "Start in 1" ? true : nil
            }
            #expect(isNamed == true)
            #expect(program.waitForStatus() == 0)
            let take = try SoundFileReader(path: folder.file("takes/a.wav"))
            #expect(Double(take.frameCount) > 0.7 * take.sampleRate)
            // Unconnected inputs are silent.
            #expect(try take.readChannels().allSatisfy { $0.allSatisfy { $0 == 0 } })
            #expect(ScratchFolder.names(in: folder.file("")) == ["show.json", "takes"])
            #expect(ScratchFolder.names(in: folder.file("takes")) == ["a.wav"])
        }

        @Test(
            "too few descriptors for JACK are not reported as a server that does not run",
            arguments: [12, 14])
        func fewDescriptors(limit: Int) throws {
            // The descriptors of the tests, which a shell inherits, would count too.
            let script = """
                exec 2>&1
                for path in /proc/$BASHPID/fd/*; do
                    number=${path##*/}
                    [ $number -le 2 ] || eval "exec $number>&-"
                done
                ulimit -n \(limit)
                exec "$0" "$@"
                """
            let program = try start(script)
            #expect(program.waitFor(text: "ulimit -n") == true)
            #expect(program.waitForStatus() == 69)
        }

        @Test("a soft limit of descriptors that can be raised has no effect")
        func softLimit() throws {
            let program = try start("ulimit -Sn 12; exec \"$0\" \"$@\"", "--duration", "0.1")
            #expect(program.waitForStatus() == 0)
        }

        @Test(
            "no server is started if JACK_NO_START_SERVER is set, to any value",
            .onJackForStarting, arguments: ["", "1"])
        func noStartServer(value: String) throws {
            let program = try Program(
                ["run", file, "--json", "--server", "stompline-not-started"],
                by: ["env", "JACK_NO_START_SERVER=\(value)", "sh", "-c", "exec \"$0\" \"$@\" 2>&1"])
            #expect(program.waitFor(text: "JACK_NO_START_SERVER") == true)
            #expect(program.waitForStatus() == 69)
            #expect(processes(withArgument: "stompline-not-started").isEmpty)
        }

        /// Starts the program through a shell script on the server of the tests.
        private func start(_ script: String, _ options: String...) throws -> Program {
            try Program(
                ["run", file, "--json", "--server", TestServer.shared.name, "--no-start-server"]
                    + options,
                by: ["bash", "-c", script])
        }
    }
}
