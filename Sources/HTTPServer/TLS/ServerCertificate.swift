internal import CGnuTLS
internal import Glibc
internal import NIOSSL
internal import Platform

/// The certificate and the private key with which the server speaks TLS.
public struct ServerCertificate: Sendable {
    /// The SHA-256 hash of the certificate, as browsers show it.
    public let fingerprint: String
    /// Creates the TLS sessions of connections.
    let context: NIOSSLContext
    private let endSeconds: Int

    /// The longest file, in bytes.
    private static let maximumBytes = 1 << 20
    /// The time before its end at which a certificate that this machine made is replaced, in
    /// seconds: 30 days.
    private static let renewalSeconds = 30 * 86_400
    private static let hashBytes = 32

    /// Reads a certificate and its key.
    ///
    /// - Parameters:
    ///   - path: A PEM file with the certificate, followed by those that vouch for it.
    ///   - keyPath: The PEM file with the key; `nil` if it is in the same file.
    /// - Throws: `CertificateError` if a file cannot be read, or if the two do not belong together.
    public init(path: String, keyPath: String? = nil) throws(CertificateError) {
        let bytes = try Self.bytes(of: path)
        guard let keyPath else {
            try self.init(bytes, path: path, key: bytes, keyPath: path)
            return
        }
        try self.init(bytes, path: path, key: Self.bytes(of: keyPath), keyPath: keyPath)
    }

    private init(
        _ bytes: [UInt8], path: String, key keyBytes: [UInt8], keyPath: String
    ) throws(CertificateError) {
        guard let chain = try? NIOSSLCertificate.fromPEMBytes(bytes), let own = chain.first,
            let content = try? own.toDERBytes()
        else { throw CertificateError("\(path) contains no certificate in the format PEM") }
        guard let key = try? NIOSSLPrivateKey(bytes: keyBytes, format: .pem) else {
            throw CertificateError(
                "\(keyPath) contains no private key in the format PEM, or one with a password")
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        do { context = try NIOSSLContext(configuration: configuration) } catch {
            throw CertificateError(
                "the private key in \(keyPath) does not belong to the certificate in \(path)")
        }
        fingerprint = Self.fingerprint(of: content)
        endSeconds = Int(own.notValidAfter)
    }

    /// Whether the certificate has expired, so that browsers warn of it.
    public var hasExpired: Bool { endSeconds < time(nil) }

    /// Returns the certificate that this machine made for itself, which it makes at the first use
    /// and again a month before the end.
    ///
    /// The certificate stays the same, so that a browser in which it was accepted accepts it again.
    ///
    /// - Throws: `CertificateError` if the user's state folder cannot be written.
    public static func selfMade() throws(CertificateError) -> ServerCertificate {
        guard let folder = UserFolder.state else {
            throw CertificateError(
                "neither XDG_STATE_HOME nor HOME names a folder for the certificate")
        }
        return try selfMade(in: folder)
    }

    /// Returns the certificate that was made in a folder, or makes it.
    package static func selfMade(
        in folder: String
    ) throws(CertificateError) -> ServerCertificate {
        let path = "\(folder)/page-certificate.pem"
        if access(path, F_OK) == 0 {
            let certificate = try ServerCertificate(path: path)
            if certificate.endSeconds - time(nil) > renewalSeconds { return certificate }
        }
        let bytes = try SelfMadeCertificate.pem(
            names: MachineAddresses.names + ["localhost"],
            addresses: ["127.0.0.1", "::1"].compactMap { IPAddress($0) } + MachineAddresses.all())
        guard UserFolder.make(folder), FileBytes.replace(path, with: bytes, isPrivate: true) else {
            throw CertificateError("\(path) cannot be written: \(SystemError.last.message)")
        }
        return try ServerCertificate(path: path)
    }

    private static func bytes(of path: String) throws(CertificateError) -> [UInt8] {
        guard let bytes = FileBytes.read(path, limit: maximumBytes) else {
            throw CertificateError("\(path) cannot be read: \(SystemError.last.message)")
        }
        return bytes
    }

    private static func fingerprint(of content: [UInt8]) -> String {
        var hash = [UInt8](repeating: 0, count: hashBytes)
        // It fails only for an unknown algorithm.
        let status = gnutls_hash_fast(GNUTLS_DIG_SHA256, content, content.count, &hash)
        precondition(status == 0, "GnuTLS has no SHA-256")
        return hash.map { HexText.text([$0]).uppercased() }.joined(separator: ":")
    }
}

/// The reason why the server cannot use TLS.
public struct CertificateError: Error, Sendable, CustomStringConvertible {
    /// A sentence without its full stop.
    public let description: String

    init(_ description: String) { self.description = description }
}
