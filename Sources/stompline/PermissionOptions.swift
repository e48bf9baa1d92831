internal import ArgumentParser
internal import Processing

/// What a pipeline may do beside sounding, as the command line says.
struct PermissionOptions: ParsableArguments {
    @Flag(help: "Let players play from the network, where the file says so.")
    var allowNetwork = false

    @Flag(help: "Let players and recorders use files outside the folder of the pipeline file.")
    var allowOutside = false

    @Option(
        help: ArgumentHelp(
            "Where recorders put their takes (default: the folder of the pipeline file).",
            valueName: "folder"),
        completion: .directory)
    var takes: String?

    /// What was said.
    var permissions: Permissions {
        Permissions(network: allowNetwork, outsideFolder: allowOutside, takesFolder: takes)
    }
}

/// What a pipeline may do that is looked at without playing it.
struct LookingOptions: ParsableArguments {
    @Flag(help: "Let players and recorders use files outside the folder of the pipeline file.")
    var allowOutside = false

    /// What was said; of the network nothing is asked.
    var permissions: Permissions {
        var permissions = Permissions.looking
        permissions.outsideFolder = allowOutside
        return permissions
    }
}

extension Permissions {
    /// For looking at a pipeline without playing it: nothing of the network is asked for.
    static let looking = Permissions(network: true)
}
