/// The settings for other machines that use the server.
public struct AccessOptions: Sendable {
    /// The rights of the devices that are paired with the codes of this run.
    public var permit: Permit
    /// The file of the paired devices; `nil` without a home.
    public var file: RemotesFile?
    /// The certificate of a server that speaks TLS; `nil` for HTTP without TLS.
    public var certificate: ServerCertificate?
    /// The addresses of this machine whose programs count as other machines, for tests.
    package var remoteLoopback: Set<String> = []

    /// Creates settings.
    public init(
        permit: Permit = Permit(role: .play), file: RemotesFile? = nil,
        certificate: ServerCertificate? = nil
    ) {
        self.permit = permit
        self.file = file
        self.certificate = certificate
    }
}
