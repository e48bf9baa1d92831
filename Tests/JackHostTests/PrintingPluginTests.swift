import Glibc
import Testing
import TestSignals

extension JackTests {
    /// The real program with a plugin that prints.
    @Suite struct PrintingPluginTests {
        private let folder = ScratchFolder()

        @Test(
            "the lines of a plugin carry its name and are harmless, and results stay JSON",
            arguments: [false, true])
        func names(isIsolated: Bool) throws {
            let file = try pipeline(isIsolated: isIsolated)
            let errors = folder.file("errors")
            let program = try Program(
                ["run", file, "--name", "Chatty", "--server", TestServer.shared.name, "--json"],
                by: [
                    "env", "LV2_PATH=\(folder.path):/usr/lib/lv2", "sh", "-c",
                    "exec \"$@\" 2>\(errors)", "sh",
                ])
            #expect(program.waitFor(event: "started") != nil)
            #expect(shows("Chatty Amp: out \\u{1b}[2J of a plugin\n", errors))
            #expect(shows("Chatty Amp: error of a plugin\n", errors))
            kill(program.process, SIGINT)
            #expect(program.waitForStatus() == 0)
            let text = LiveProgram.text(of: errors)
            #expect(!text.contains("\u{1B}"))
            #expect(text.contains("interrupted after"))
            // Standard output contains only events.
            #expect(program.waitFor(event: "ended") != nil)
            if !isIsolated { #expect(program.waitFor(text: "of a plugin") != true) }
        }

        @Test("the lines of a plugin appear above the terminal view, with its name")
        func view() throws {
            let file = try pipeline(isIsolated: false)
            let terminal = Tmux(columns: 100, rows: 30)
            defer { terminal.end() }
            terminal.type(
                "LV2_PATH=\(folder.path):/usr/lib/lv2 \(builtProgram("stompline")) run \(file) --name ChattyView "
                    + "--server \(TestServer.shared.name)")
            let screen = terminal.screen { $0.contains("? keys") }
            #expect(screen.contains("Chatty Amp: out \\u{1b}[2J of a plugin"))
            #expect(screen.contains("Chatty Amp: error of a plugin"))
            terminal.press("q")
            #expect(terminal.screen { $0.contains("stopped after") }.contains("stopped after"))
        }

        /// Waits until a file contains a text.
        private func shows(_ text: String, _ path: String) -> Bool {
            waitUntil { LiveProgram.text(of: path).contains(text) ? true : nil } == true
        }

        /// Builds a plugin that prints when it is created, and returns a pipeline with it.
        private func pipeline(isIsolated: Bool) throws -> String {
            let bundle = folder.file("chatty.lv2")
            try #require(mkdir(bundle, 0o700) == 0)
            let source = folder.write(
                """
                #include <lv2/core/lv2.h>
                #include <stdio.h>
                #include <stdlib.h>
                #include <string.h>
                static LV2_Handle make(const LV2_Descriptor *descriptor, double rate,
                    const char *path, const LV2_Feature *const *features) {
                    printf("out \\x1b[2J of a plugin\\n");
                    fprintf(stderr, "error of a plugin\\n");
                    return calloc(2, sizeof(float *));
                }
                static void join(LV2_Handle handle, uint32_t port, void *data) {
                    ((float **)handle)[port] = data;
                }
                static void run(LV2_Handle handle, uint32_t count) {
                    float **ports = handle;
                    if (ports[0] != ports[1]) memcpy(ports[1], ports[0], count * sizeof(float));
                }
                static void end(LV2_Handle handle) { free(handle); }
                static const LV2_Descriptor descriptor = {
                    "urn:stompline-test:chatty", make, join, NULL, run, NULL, end, NULL};
                const LV2_Descriptor *lv2_descriptor(uint32_t index) {
                    return index == 0 ? &descriptor : NULL;
                }
                """, to: "chatty.c")
            _ = folder.write(
                """
                @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
                @prefix doap: <http://usefulinc.com/ns/doap#> .
                <urn:stompline-test:chatty> a lv2:Plugin ; lv2:binary <chatty.so> ;
                doap:name "Chatty Amp" ;
                lv2:port [ a lv2:InputPort , lv2:AudioPort ; lv2:index 0 ; lv2:symbol "in" ;
                lv2:name "In" ] ,
                [ a lv2:OutputPort , lv2:AudioPort ; lv2:index 1 ; lv2:symbol "out" ;
                lv2:name "Out" ] .
                """, to: "chatty.lv2/manifest.ttl")
            let compiler = startProgram([
                "cc", "-shared", "-fPIC", source, "-o", "\(bundle)/chatty.so",
            ])
            var status: Int32 = -1
            try #require(waitpid(compiler, &status, 0) == compiler && status == 0)
            return folder.write(
                """
                { "version": 1, "inputs": { "mic": {} }, "outputs": { "main": {} },
                  "nodes": [ { "id": "amp", "type": "lv2", "uri": "urn:stompline-test:chatty",
                               "isolate": \(isIsolated) } ] }
                """, to: "chatty.json")
        }
    }
}
