internal import CLilv
internal import Glibc

/// Tells in which bundles' files a text can stand, without reading them as Turtle, which takes seconds for all.
final class TurtleSearch {
    /// The text, and the names of the classes whose labels hold it; nil where Turtle may write the text in another way.
    private let words: [String]?
    /// The URIs of those classes.
    private let classes: [String]
    private let world: LilvWorldHandle
    private var answers: [String: Bool] = [:]

    /// A search for a text in lower case.
    init(_ text: String, _ world: LilvWorldHandle) {
        self.world = world
        let isPlain = text.utf8.allSatisfy { 0x20..<0x7f ~= $0 && $0 != 0x22 && $0 != 0x5c }
        classes = Self.classes(labelled: text, world)
        let names = classes.compactMap { $0.split { $0 == "#" || $0 == "/" }.last.map(String.init) }
        words = isPlain ? [text] + names : nil
    }

    /// Whether the text may be in what is said of a plugin.
    ///
    /// Manifests name every plugin of a bundle, so they count only where they say more of this one than where it is.
    func mayDescribe(_ plugin: OpaquePointer) -> Bool {
        guard words != nil else { return true }
        return files(of: plugin).contains { file in
            holds(file) && (!file.hasSuffix("/manifest.ttl") || manifestDescribes(plugin))
        }
    }

    /// The plugin's files, its manifest among them.
    private func files(of plugin: OpaquePointer) -> [String] {
        let uris = UnsafeMutableRawPointer(mutating: lilv_plugin_get_data_uris(plugin))
        var files: [String] = []
        var at = lilv_nodes_begin(uris)
        while !lilv_nodes_is_end(uris, at) {
            if let file = world.text(lilv_nodes_get(uris, at)) { files.append(file) }
            at = lilv_nodes_next(uris, at)
        }
        return files
    }

    /// Whether what lilv has read of a plugin so far, mostly its manifest, holds a name, people or a class.
    private func manifestDescribes(_ plugin: OpaquePointer) -> Bool {
        let uri = lilv_plugin_get_uri(plugin)
        let terms = ["name", "maintainer", "developer"].map { Namespace.projects($0) }
        return (terms + [Namespace.core("project")]).contains {
            lilv_world_ask(world.pointer, uri, world.node($0), nil)
        }
            || classes.contains {
                lilv_world_ask(world.pointer, uri, world.node(Self.type), world.node($0))
            }
    }

    private func holds(_ uri: String) -> Bool {
        if let known = answers[uri] { return known }
        let answer = search(uri)
        answers[uri] = answer
        return answer
    }

    /// A file that cannot be read is left to lilv.
    private func search(_ uri: String) -> Bool {
        guard let path = lilv_file_uri_parse(uri, nil) else { return true }
        defer { lilv_free(path) }
        guard let file = fopen(path, "r") else { return true }
        defer { fclose(file) }
        fseek(file, 0, SEEK_END)
        let length = ftell(file)
        rewind(file)
        let text = [CChar](unsafeUninitializedCapacity: length + 1) { buffer, count in
            let read = fread(buffer.baseAddress, 1, length, file)
            buffer[read] = 0
            count = read + 1
        }
        return (words ?? []).contains { text_holds(text, $0) }
    }

    /// The URIs of plugin classes whose labels hold a text.
    private static func classes(labelled text: String, _ world: LilvWorldHandle) -> [String] {
        let classes = lilv_world_get_plugin_classes(world.pointer)
        var uris: [String] = []
        var at = lilv_plugin_classes_begin(classes)
        while !lilv_plugin_classes_is_end(classes, at) {
            let type = lilv_plugin_classes_get(classes, at)
            let label = world.text(lilv_plugin_class_get_label(type)) ?? ""
            if label.lowercased().contains(text) {
                uris += [world.text(lilv_plugin_class_get_uri(type))].compactMap(\.self)
            }
            at = lilv_plugin_classes_next(classes, at)
        }
        return uris
    }

    private static let type = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
}
