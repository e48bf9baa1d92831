internal import CLilv
internal import Glibc

/// What is known of the installed plugins without reading their descriptions: a file that is made anew where it is old.
struct PluginCache: Equatable {
    /// By their bundles' paths.
    var bundles: [String: Bundle] = [:]

    /// A bundle as it was when it was read.
    struct Bundle: Equatable {
        /// Of its files; see `BundleFolders`.
        var fingerprint: UInt64
        var plugins: [KnownPlugin]
    }

    /// The file's first line; another program, or an older one, hosts in another way.
    private static var heading: String {
        let program = BundleFolders.fingerprint(ofFile: "/proc/self/exe") ?? 0
        return TabbedLine(["stompline plugins", String(program, radix: 16)]).text
    }

    /// `plugins.tsv` in the program's folder of the user's cache.
    static var usualPath: String? { UserFolder.cache.map { $0 + "/plugins.tsv" } }

    /// An empty one.
    init() {}

    /// Reads a file; empty where there is none, or one that this program did not write.
    init(contentsOf path: String) {
        let lines = Self.text(of: path).split(separator: "\n")
        guard lines.first.map(String.init) == Self.heading else { return }
        var bundle: String?
        for line in lines.dropFirst() {
            let fields = TabbedLine(line).fields
            if fields.count == 3, fields[0] == "bundle" {
                bundle = fields[1]
                bundles[fields[1]] = Bundle(
                    fingerprint: UInt64(fields[2], radix: 16) ?? 0, plugins: [])
            } else if let bundle, let plugin = KnownPlugin(fields: fields, bundlePath: bundle) {
                bundles[bundle]?.plugins.append(plugin)
            }
        }
    }

    /// Takes over what another program has found out meanwhile, and writes all; a reader sees the old file or the new one.
    ///
    /// Nothing is said where that fails: it only saves time.
    mutating func write(to path: String) {
        guard let slash = path.lastIndex(of: "/") else { return }
        let folder = String(path[..<slash])
        UserFolder.make(folder)
        let lock = Self.lock(path + ".lock")
        defer { if lock >= 0 { close(lock) } }
        merge(PluginCache(contentsOf: path))
        let draft = path + ".\(getpid())"
        guard let file = fopen(draft, "w") else { return }
        let isWritten = text.withCString { fputs($0, file) >= 0 }
        if fclose(file) == 0, isWritten { rename(draft, path) } else { unlink(draft) }
    }

    /// Takes over bundles that are not here, and what trying plugins came to that were not tried here.
    mutating func merge(_ other: PluginCache) {
        for (path, theirs) in other.bundles {
            guard let ours = bundles[path] else {
                bundles[path] = theirs
                continue
            }
            guard ours.fingerprint == theirs.fingerprint else { continue }
            for (place, plugin) in ours.plugins.enumerated() where plugin.verdict == nil {
                bundles[path]?.plugins[place].verdict =
                    theirs.plugins.first { $0.summary.uri == plugin.summary.uri }?.verdict
            }
        }
    }

    /// A lock that holds until its file is closed; -1 where there is none, after a second at most.
    private static func lock(_ path: String) -> Int32 {
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { return -1 }
        for _ in 0..<100 {
            if file_lock(file) { return file }
            usleep(10_000)
        }
        close(file)
        return -1
    }

    private var text: String {
        let lines = bundles.sorted { $0.key < $1.key }.flatMap { path, bundle in
            [TabbedLine(["bundle", path, String(bundle.fingerprint, radix: 16)]).text]
                + bundle.plugins.map { TabbedLine($0.fields).text }
        }
        return ([Self.heading] + lines).map { $0 + "\n" }.joined()
    }

    private static func text(of path: String) -> String {
        guard let file = fopen(path, "r") else { return "" }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&piece, 1, piece.count, file), count > 0 {
            bytes += piece[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// A plugin as lists show it, and what trying it came to.
public struct KnownPlugin: Sendable, Equatable {
    /// What its description says.
    public var summary: PluginSummary
    /// What trying it came to; nil where it was not tried yet.
    public var verdict: PluginVerdict?
}

extension KnownPlugin {
    fileprivate init?(fields: [String], bundlePath: String) {
        guard fields.count >= 8, fields[0] == "plugin", let inputs = Int(fields[5]),
            let outputs = Int(fields[6])
        else { return nil }
        summary = PluginSummary(
            uri: fields[1], name: fields[2], author: fields[3], category: fields[4],
            audioInputCount: inputs, audioOutputCount: outputs,
            missingFeatures: fields[7].split(separator: ",").map(String.init),
            bundlePath: bundlePath + "/")
        verdict = PluginVerdict(fields: fields.dropFirst(8))
    }

    fileprivate var fields: [String] {
        [
            "plugin", summary.uri, summary.name, summary.author, summary.category,
            "\(summary.audioInputCount)", "\(summary.audioOutputCount)",
            summary.missingFeatures.joined(separator: ","),
        ] + (verdict?.fields ?? [])
    }
}
