internal import Glibc
internal import TestSignals

/// Renders with the bare C host in a separate process.
public enum BareRender {
    /// Returns a plugin's output with default controls at 48 kHz in blocks of 64 frames.
    ///
    /// - Parameters:
    ///   - input: The input's channels, interleaved.
    ///   - uri: The plugin.
    ///   - environment: Additional environment variables of the bare host, each `NAME=VALUE`.
    /// - Returns: The output's channels, interleaved; `nil` if the bare host cannot run the plugin.
    public static func samples(
        of input: [Float], through uri: String, environment: [String] = []
    ) -> [Float]? {
        let folder = ScratchFolder()
        let (from, to) = (folder.file("input"), folder.file("output"))
        write(input, to: from)
        var host = ChildProgram(product: "bare-lv2-host")
        host.environment = environment
        guard host.run([uri, from, to]) == .status(0) else { return nil }
        // The folder must live until its file has been read.
        return withExtendedLifetime(folder) { read(to) }
    }

    private static func write(_ samples: [Float], to path: String) {
        guard let file = fopen(path, "wb") else { return }
        fwrite(samples, MemoryLayout<Float>.stride, samples.count, file)
        fclose(file)
    }

    private static func read(_ path: String) -> [Float]? {
        guard let file = fopen(path, "rb") else { return nil }
        defer { fclose(file) }
        fseek(file, 0, SEEK_END)
        let count = ftell(file) / MemoryLayout<Float>.stride
        rewind(file)
        return [Float](unsafeUninitializedCapacity: count) { buffer, readCount in
            readCount = fread(buffer.baseAddress, MemoryLayout<Float>.stride, count, file)
        }
    }
}
