/// What pipelines may do beside sounding; who starts the program says so, no file does.
public struct Permissions: Sendable, Equatable {
    /// Whether players may play from the network.
    public var network: Bool
    /// Whether players and recorders may use files outside the folder of their pipeline.
    public var outsideFolder: Bool
    /// The folder that takes go into; nil for that of the pipeline file.
    public var takesFolder: String?

    /// All parts, each as its property says.
    public init(network: Bool = false, outsideFolder: Bool = false, takesFolder: String? = nil) {
        self.network = network
        self.outsideFolder = outsideFolder
        self.takesFolder = takesFolder
    }
}
