internal import CLilv
internal import Glibc

/// A lilv world and its nodes for well-known URIs.
///
/// Only one thread at a time may use it.
final class LilvWorldHandle {
    let pointer: OpaquePointer
    /// All plugins found.
    let plugins: UnsafeRawPointer
    private var nodes: [String: OpaquePointer] = [:]

    /// Reads the manifests of all installed bundles, then those of bundles in the additional
    /// folders.
    init?(bundleFolders: [String]) {
        guard let world = lilv_world_new() else { return nil }
        pointer = world
        lilv_world_load_all(world)
        for bundle in bundleFolders.flatMap(BundleFolders.bundles) {
            guard let uri = lilv_new_file_uri(world, nil, bundle + "/") else { continue }
            lilv_world_load_bundle(world, uri)
            lilv_node_free(uri)
        }
        plugins = UnsafeRawPointer(lilv_world_get_all_plugins(world))
    }

    deinit {
        for node in nodes.values { lilv_node_free(node) }
        lilv_world_free(pointer)
    }

    /// Returns the node of a URI, which is created once and kept.
    ///
    /// `nil` if the text is not a URI.
    func node(_ uri: String) -> OpaquePointer? {
        if let node = nodes[uri] { return node }
        guard let node = lilv_new_uri(pointer, uri) else { return nil }
        nodes[uri] = node
        return node
    }

    /// Returns the plugin with a URI.
    func plugin(_ uri: String) -> OpaquePointer? {
        // lilv itself prints an error for a text without a scheme.
        guard uri.contains(":"), let node = lilv_new_uri(pointer, uri) else { return nil }
        defer { lilv_node_free(node) }
        return lilv_plugins_get_by_uri(plugins, node)
    }

    /// Returns all plugins in lilv's order, by URI.
    func allPlugins() -> [OpaquePointer] {
        var found: [OpaquePointer] = []
        var at = lilv_plugins_begin(plugins)
        while !lilv_plugins_is_end(plugins, at) {
            if let plugin = lilv_plugins_get(plugins, at) { found.append(plugin) }
            at = lilv_plugins_next(plugins, at)
        }
        return found
    }

    /// Calls a body with each node of a collection, then frees the collection.
    func consume(_ nodes: UnsafeMutableRawPointer?, _ body: (OpaquePointer) -> Void) {
        guard let nodes else { return }
        var at = lilv_nodes_begin(nodes)
        while !lilv_nodes_is_end(nodes, at) {
            if let node = lilv_nodes_get(nodes, at) { body(node) }
            at = lilv_nodes_next(nodes, at)
        }
        lilv_nodes_free(nodes)
    }

    /// Returns the texts of a collection of nodes, and frees the collection.
    func texts(_ nodes: UnsafeMutableRawPointer?) -> [String] {
        var texts: [String] = []
        consume(nodes) { node in if let text = text(node) { texts.append(text) } }
        return texts
    }

    /// Returns a node's text: its URI or its string.
    func text(_ node: OpaquePointer?) -> String? {
        guard let node, let text = lilv_node_as_string(node) else { return nil }
        return String(cString: text)
    }

    /// Returns the text of a node that the caller owns, and frees the node.
    func consumeText(_ node: OpaquePointer?) -> String? {
        guard let node else { return nil }
        defer { lilv_node_free(node) }
        return text(node)
    }

    /// Returns a node's number; `nil` if it is not a number or not finite.
    func number(_ node: OpaquePointer?) -> Float? {
        guard let node, lilv_node_is_float(node) || lilv_node_is_int(node) else { return nil }
        let value = lilv_node_as_float(node)
        return value.isFinite ? value : nil
    }
}
