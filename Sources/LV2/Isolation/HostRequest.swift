internal import Glibc
internal import Processing

/// The plugin that a child process must create, as zero-terminated texts in the shared memory.
struct HostRequest {
    var uri: String
    /// The plugin's name in this process; the child does not need it.
    var name = ""
    var bundleFolders: [String]
    var request: ProcessorRequest
    /// The state that the plugin last reported in an earlier process.
    var state: String?
    /// The sandbox of the child; `nil` if the child may access everything that this program may.
    var sandbox: PluginSandbox?

    /// The texts in sequence, each followed by a zero byte.
    var bytes: [UInt8] {
        let format = request.format
        var texts = [
            uri, "\(format.sampleRate)", "\(format.maximumBlockFrames)", "\(format.isLive)",
            "\(format.realtimePriority ?? -1)", "\(request.inputChannels)",
            "\(request.outputChannels)", "\(request.tempo)",
        ]
        texts += Self.list(bundleFolders)
        texts += Self.list(request.parameters.map { "\($0.bitPattern)" })
        texts += Self.list(
            request.settings.sorted { $0.key < $1.key }.flatMap { name, value in
                [name] + Self.texts(of: value)
            })
        // A text must not contain its terminator.
        texts += Self.list(state.map { $0.utf8.contains(0) ? [] : [$0] } ?? [])
        texts += Self.list(sandbox.map { [$0.scratchFolder] + $0.readablePaths } ?? [])
        return texts.flatMap { Array($0.utf8) + [0] }
    }

    /// Parses the `bytes` of a request; `nil` if they are malformed.
    init?(_ bytes: UnsafeRawBufferPointer) {
        var texts = bytes.split(separator: 0, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }[...]
        guard let uri = texts.popFirst(), let rate = texts.popFirst().flatMap(Double.init),
            let block = texts.popFirst().flatMap(Int.init),
            let isLive = texts.popFirst().flatMap(Bool.init),
            let priority = texts.popFirst().flatMap(Int32.init),
            let inputs = texts.popFirst().flatMap(Int.init),
            let outputs = texts.popFirst().flatMap(Int.init),
            let tempo = texts.popFirst().flatMap(Double.init),
            let folders = Self.list(&texts), let values = Self.list(&texts),
            let settings = Self.list(&texts).flatMap(Self.settings),
            let states = Self.list(&texts), let paths = Self.list(&texts)
        else { return nil }
        self.uri = uri
        bundleFolders = folders
        state = states.first
        sandbox = paths.first.map {
            PluginSandbox(scratchFolder: $0, readablePaths: Array(paths.dropFirst()))
        }
        request = ProcessorRequest(
            format: AudioFormat(
                sampleRate: rate, maximumBlockFrames: block, isLive: isLive,
                realtimePriority: priority < 0 ? nil : priority),
            inputChannels: inputs, outputChannels: outputs,
            parameters: values.compactMap(UInt32.init).map(Float.init(bitPattern:)),
            settings: settings, tempo: tempo)
    }

    init(
        uri: String, name: String = "", bundleFolders: [String], request: ProcessorRequest
    ) {
        self.uri = uri
        self.name = name
        self.bundleFolders = bundleFolders
        self.request = request
    }

    /// Returns the number of texts, followed by the texts.
    private static func list(_ texts: [String]) -> [String] { ["\(texts.count)"] + texts }

    private static func list(_ texts: inout ArraySlice<String>) -> [String]? {
        guard let count = texts.popFirst().flatMap(Int.init), (0...texts.count).contains(count)
        else { return nil }
        defer { texts = texts.dropFirst(count) }
        return Array(texts.prefix(count))
    }

    private static func texts(of value: SettingValue) -> [String] {
        switch value {
        case .number(let number): ["number", "\(number)"]
        case .toggle(let isOn): ["toggle", "\(isOn)"]
        case .text(let text): ["text", text]
        // No plugin has a playlist setting.
        case .playlist: ["text", ""]
        }
    }

    private static func settings(_ texts: [String]) -> [String: SettingValue]? {
        var settings: [String: SettingValue] = [:]
        for index in stride(from: 0, to: texts.count - 2, by: 3) {
            let text = texts[index + 2]
            settings[texts[index]] =
                switch texts[index + 1] {
                case "number": Double(text).map { .number($0) }
                case "toggle": .toggle(text == "true")
                default: .text(text)
                }
        }
        return settings
    }
}
