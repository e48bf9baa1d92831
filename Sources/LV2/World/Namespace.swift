/// The namespaces whose terms this host knows.
enum Namespace: String {
    case core = "http://lv2plug.in/ns/lv2core#"
    case atom = "http://lv2plug.in/ns/ext/atom#"
    case bufferSize = "http://lv2plug.in/ns/ext/buf-size#"
    case log = "http://lv2plug.in/ns/ext/log#"
    case midi = "http://lv2plug.in/ns/ext/midi#"
    case options = "http://lv2plug.in/ns/ext/options#"
    case parameters = "http://lv2plug.in/ns/ext/parameters#"
    case patch = "http://lv2plug.in/ns/ext/patch#"
    case portGroups = "http://lv2plug.in/ns/ext/port-groups#"
    case portProperties = "http://lv2plug.in/ns/ext/port-props#"
    case presets = "http://lv2plug.in/ns/ext/presets#"
    case resizePort = "http://lv2plug.in/ns/ext/resize-port#"
    case state = "http://lv2plug.in/ns/ext/state#"
    case time = "http://lv2plug.in/ns/ext/time#"
    case units = "http://lv2plug.in/ns/extensions/units#"
    case urid = "http://lv2plug.in/ns/ext/urid#"
    case worker = "http://lv2plug.in/ns/ext/worker#"
    case projects = "http://usefulinc.com/ns/doap#"
    case schema = "http://www.w3.org/2000/01/rdf-schema#"

    /// Returns the URI of a term in this namespace.
    func callAsFunction(_ term: String) -> String { rawValue + term }

    /// Returns the term of this namespace that a URI names; `nil` if it names none.
    func term(of uri: String?) -> String? {
        guard let uri, uri.hasPrefix(rawValue) else { return nil }
        return String(uri.dropFirst(rawValue.count))
    }

    /// Returns a URI with a prefix, like `urid:map`, or unchanged if its namespace is not known.
    static func shortened(_ uri: String) -> String {
        for (namespace, prefix) in prefixes {
            if let term = namespace.term(of: uri) { return prefix + ":" + term }
        }
        return uri
    }

    private static let prefixes: [(Namespace, String)] = [
        (.core, "lv2"), (.atom, "atom"), (.bufferSize, "bufsz"), (.log, "log"), (.midi, "midi"),
        (.options, "opts"), (.parameters, "param"), (.patch, "patch"), (.portGroups, "pg"),
        (.portProperties, "pprops"), (.presets, "pset"), (.resizePort, "rsz"), (.state, "state"),
        (.time, "time"), (.units, "units"), (.urid, "urid"), (.worker, "work"),
    ]
}
