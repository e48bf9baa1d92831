// Writes manifest.ttl, stompline.ttl and presets.ttl, the descriptions of the plugin bundle, into a folder.
internal import Effects
internal import Glibc
internal import PluginBundle

/// Writes a text to a file, or prints the error and exits.
func save(_ text: String, to path: String) {
    guard let file = fopen(path, "w"), fputs(text, file) >= 0, fclose(file) == 0 else {
        perror(path)
        exit(74)
    }
}

guard CommandLine.arguments.count == 2 else {
    let usage = "usage: describe-plugins FOLDER\n"
    _ = usage.withCString { write(STDERR_FILENO, $0, usage.utf8.count) }
    exit(64)
}
let folder = CommandLine.arguments[1]
let bundle = BundleDescription(of: BundledPlugin.all(of: EffectCatalogue.effects))
save(bundle.manifest, to: folder + "/manifest.ttl")
save(bundle.plugin, to: folder + "/stompline.ttl")
save(bundle.presets, to: folder + "/presets.ttl")
