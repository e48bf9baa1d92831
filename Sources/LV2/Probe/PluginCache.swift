internal import CLilv
internal import Glibc
internal import Platform

/// The contents of a cache file with summaries of the installed plugins.
///
/// With it, the plugins' descriptions need not be read. An outdated file is written again.
struct PluginCache: Equatable {
    /// The bundles by their paths.
    var bundles: [String: Bundle] = [:]

    /// A bundle in the state in which it was read.
    struct Bundle: Equatable {
        /// The fingerprint of its files; see `BundleFolders`.
        var fingerprint: UInt64
        var plugins: [KnownPlugin]
    }

    /// The file's first line.
    ///
    /// It identifies the program, because another version may host plugins differently.
    private static var heading: String {
        let program = BundleFolders.fingerprint(ofFile: "/proc/self/exe") ?? 0
        return TabbedLine(["stompline plugins", String(program, radix: 16)]).text
    }

    /// The default path: `plugins.tsv` in the program's folder of the user's cache.
    static var defaultPath: String? { UserFolder.cache.map { $0 + "/plugins.tsv" } }

    /// Creates an empty cache.
    init() {}

    /// Reads a file; the cache is empty if there is no file, or this program did not write it.
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

    /// Merges the results of other processes into this cache, and writes it to the file atomically.
    ///
    /// Errors are ignored, because the file only saves time.
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

    /// Adds bundles that are missing here, and verdicts on plugins that were not probed here.
    mutating func merge(_ other: PluginCache) {
        for (path, theirs) in other.bundles {
            guard let ours = bundles[path] else {
                bundles[path] = theirs
                continue
            }
            guard ours.fingerprint == theirs.fingerprint else { continue }
            for (index, plugin) in ours.plugins.enumerated() where plugin.verdict == nil {
                bundles[path]?.plugins[index].verdict =
                    theirs.plugins.first { $0.summary.uri == plugin.summary.uri }?.verdict
            }
        }
    }

    /// Acquires a lock that is held until its file is closed; -1 on failure, after 1 s at most.
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

/// A plugin's summary, and the result of probing it.
public struct KnownPlugin: Sendable, Equatable {
    /// The data from its description.
    public var summary: PluginSummary
    /// The result of probing it; `nil` if it was not probed yet.
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
