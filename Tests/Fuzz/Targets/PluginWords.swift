@testable internal import LV2
internal import Processing
internal import Realtime

extension FuzzTarget {
    /// Data that plugins and their processes write for the host; the first byte selects the kind.
    static let pluginWords = FuzzTarget(
        name: "plugin-words",
        run: { bytes in
            let rest = Array(bytes.dropFirst())
            switch (bytes.first ?? 0) % 5 {
            case 0: checkRequest(rest)
            case 1: checkProbe(rest)
            case 2: checkCache(rest)
            case 3: checkMarks(rest)
            default: checkEvents(rest)
            }
        },
        seeds: {
            let request = HostRequest(
                uri: "urn:a", bundleFolders: ["/a", "/b"],
                request: ProcessorRequest(
                    format: AudioFormat(sampleRate: 48_000, maximumBlockFrames: 64),
                    inputChannels: 1, outputChannels: 2, parameters: [0, 0.5],
                    settings: [
                        "preset": .text("Hall"), "room": .number(2), "freeze": .toggle(true),
                    ]))
            let terms = PatchTerms()
            var atoms: [UInt8] = []
            func add(_ word: UInt32) { withUnsafeBytes(of: word) { atoms += Array($0) } }
            let words: [UInt32] = [
                8 + 16 + 56, URIDTable.map(Namespace.atom("Sequence")), 0, 0, 0, 0, 56,
                terms.object,
                0, terms.set, terms.property, 0, 4, terms.urid, 7, 0, terms.value, 0, 4,
                terms.float, 0x3F00_0000, 0,
            ]
            for word in words { add(word) }
            return [
                [0] + request.bytes,
                [1]
                    + Array(
                        "begins\turn:a\trun\nverdict\turn:a\tplays\t\t\t64\tfinite\tmemory\tmalloc\t3\nverdict\turn:a\tsignal\trun\t11\t0\tfinite\ndenormals\turn:a\t0.5\t12.0\tkept"
                            .utf8),
                [2]
                    + Array(
                        "bundle\t/a\tff\nplugin\turn:a\tA\tB\tC\t1\t2\t\tplays\t\t\t0\tfinite".utf8),
                [3, 1, 0, 0, 1] + [UInt8](repeating: 0, count: 28) + Array("urn:a".utf8),
                [4] + atoms,
            ]
        })
}

private func checkRequest(_ bytes: [UInt8]) {
    guard let request = bytes.withUnsafeBytes({ HostRequest($0) }) else { return }
    _ = request.bytes.withUnsafeBytes { HostRequest($0) }
}

/// Checks the output lines of a process that probes plugins.
private func checkProbe(_ bytes: [UInt8]) {
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
        guard let message = ProbeMessage(line: line) else { continue }
        require(ProbeMessage(line: Substring(message.line)) != nil, "\(message) cannot be read")
        if case .verdict(_, let verdict) = message {
            require(!verdict.description.isEmpty, "a verdict has no words")
        }
    }
}

/// Checks a list of known plugins with this program's header.
private func checkCache(_ bytes: [UInt8]) {
    let path = InputFile.inMemory(cacheHeading + bytes, name: "cache")
    var cache = PluginCache(contentsOf: path)
    cache.merge(cache)
}

private let cacheHeading: [UInt8] = {
    let path = InputFile.inMemory([], name: "cache")
    var cache = PluginCache()
    cache.write(to: path)
    return InputFile.bytes(path)
}()

/// Checks the crash marks of a dead process.
private func checkMarks(_ bytes: [UInt8]) {
    let count = bytes.count / CrashMark.bytes + 1
    let padding = [UInt8](repeating: 0, count: count * CrashMark.bytes - bytes.count)
    let memory = Buffer(bytes + padding)
    let crashes = withExtendedLifetime(memory) {
        CrashMarks.found(in: UnsafeMutableRawPointer(memory.start), count: count)
    }
    for crash in crashes {
        require(crash.uri.utf8.count <= 3 * CrashMark.bytes, "a crash's URI is too long")
    }
}

/// Checks the buffer of a plugin's event output.
private func checkEvents(_ bytes: [UInt8]) {
    let port = PortShape(symbol: "out", label: "Out", role: .eventOutput)
    let buffer = EventBuffer(port)
    bytes.withUnsafeBytes {
        if let start = $0.baseAddress {
            buffer.memory.copyMemory(from: start, byteCount: min($0.count, 4_096))
        }
    }
    withUnsafePointer(to: buffer) { checkNumbers(PatchReader(patchTerms, $0)) }
    var event = buffer.event(after: nil)
    while let present = event {
        let body = UnsafeRawBufferPointer(start: present.body, count: Int(present.byteCount))
        _ = body.reduce(0) { $0 &+ Int($1) }
        event = buffer.event(after: present)
    }
}

private func checkNumbers(_ reader: PatchReader) {
    var reader = reader
    var count = 0
    while let reported = reader.next() {
        require(reported.number.isFinite, "a property is not finite")
        count += 1
        require(count < 100_000, "the events have no end")
    }
}

private let patchTerms = PatchTerms()
