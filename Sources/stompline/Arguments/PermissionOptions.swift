internal import ArgumentParser
internal import Processing

/// The options that permit a pipeline to use the network and files.
struct PermissionOptions: ParsableArguments {
    @Flag(help: "Let players use network addresses.")
    var allowNetwork = false

    @Flag(help: "With --allow-network: also addresses of this machine and of private networks.")
    var allowPrivate = false

    @Flag(
        help:
            "Let players, recorders and loopers use files outside the folder of the pipeline file.")
    var allowOutside = false

    @Option(
        help: ArgumentHelp(
            "The folder for the takes of recorders (default: that of the pipeline file).",
            valueName: "folder"),
        completion: .directory)
    var takes: String?

    /// The permissions.
    var permissions: Permissions {
        Permissions(
            network: allowNetwork, privateHosts: allowPrivate, outsideFolder: allowOutside,
            takesFolder: takes)
    }
}

/// The permissions of a pipeline that is only read.
struct ReadOnlyOptions: ParsableArguments {
    @Flag(
        help:
            "Let players, recorders and loopers use files outside the folder of the pipeline file.")
    var allowOutside = false

    /// The permissions; the network is not used.
    var permissions: Permissions {
        var permissions = Permissions.looking
        permissions.outsideFolder = allowOutside
        return permissions
    }
}

extension Permissions {
    /// The permissions for reading a pipeline: the network is allowed because it is not used.
    static let looking = Permissions(network: true, privateHosts: true)
}
