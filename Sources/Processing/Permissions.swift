/// The permissions of pipelines to use the network and files.
///
/// They come from the command line, never from a file.
public struct Permissions: Sendable, Equatable {
    /// Whether players may play from the network.
    public var network: Bool
    /// Whether players with network access may also connect to this machine and to private
    /// networks.
    public var privateHosts: Bool
    /// Whether players, recorders and loopers may use files outside the folder of their pipeline.
    public var outsideFolder: Bool
    /// The folder for takes; `nil` for the folder of the pipeline file.
    public var takesFolder: String?

    /// Creates permissions; an omitted permission is denied.
    public init(
        network: Bool = false, privateHosts: Bool = false, outsideFolder: Bool = false,
        takesFolder: String? = nil
    ) {
        self.network = network
        self.privateHosts = privateHosts
        self.outsideFolder = outsideFolder
        self.takesFolder = takesFolder
    }
}
