internal import CGnuTLS
internal import Glibc
internal import Platform
internal import Realtime

/// An encrypted connection to a server whose identity has been verified.
final class TLSSession {
    private let session: gnutls_session_t
    private let credentials: Trust
    /// The host name; GnuTLS keeps the pointer.
    private let host: Buffer<CChar>

    /// The longest time for which a call is repeated because GnuTLS asks for it, in seconds.
    private static let timeoutSeconds = 120.0

    /// Creates a session without a handshake; returns `nil` if there is not enough memory.
    ///
    /// - Parameters:
    ///   - socket: A connected socket.
    ///   - host: The name or the IP address that the certificate must be for.
    ///   - trustFile: The certificates of the trusted authorities; `nil` for the system's.
    init?(_ socket: Int32, host: String, trustFile: String?) {
        let name = Latin1.bytes(host).map { CChar(bitPattern: $0) } + [0]
        var session: gnutls_session_t?
        guard gnutls_init(&session, UInt32(GNUTLS_CLIENT | GNUTLS_NO_SIGNAL)) == 0, let session
        else { return nil }
        self.session = session
        credentials = trustFile.map { Trust(file: $0) } ?? Trust.ofSystem
        self.host = Buffer(name)
        gnutls_set_default_priority(session)
        gnutls_credentials_set(
            session, GNUTLS_CRD_CERTIFICATE, UnsafeMutableRawPointer(credentials.store))
        // IP addresses are not sent as server names (RFC 6066, section 3).
        if !host.contains(":"), host.contains(where: { !$0.isNumber && $0 != "." }) {
            gnutls_server_name_set(session, GNUTLS_NAME_DNS, name, name.count - 1)
        }
        gnutls_session_set_verify_cert(session, self.host.start, 0)
        gnutls_transport_set_int2(session, socket, socket)
    }

    deinit { gnutls_deinit(session) }

    /// Performs the handshake, and checks the certificate against the host and the authorities.
    ///
    /// - Throws: `certificate` if the check fails, or another reason.
    func begin() throws(StreamError) {
        let status = Self.retrying { gnutls_handshake(session) }
        if status == 0 { return }
        let isCertificate =
            status == Int(GNUTLS_E_CERTIFICATE_VERIFICATION_ERROR)
            || status == Int(GNUTLS_E_CERTIFICATE_ERROR)
        if isCertificate { throw .certificate }
        let reason = String(cString: gnutls_strerror(Int32(clamping: status)))
        throw .unreached("the encrypted connection failed: \(reason)")
    }

    /// Whether there are decrypted bytes that have not been received.
    var hasBytes: Bool { gnutls_record_check_pending(session) > 0 }

    /// Sends bytes.
    ///
    /// - Returns: Whether all bytes were sent.
    func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { part in
                Self.retrying { gnutls_record_send(session, part.baseAddress, part.count) }
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Waits for bytes; returns none at the end.
    func receive(atMost capacity: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: capacity) { buffer, filled in
            filled = max(
                0, Self.retrying { gnutls_record_recv(session, buffer.baseAddress, capacity) })
        }
    }

    /// Repeats a call while GnuTLS asks for it, because protocol messages arrive between the bytes.
    private static func retrying<Count: BinaryInteger>(_ call: () -> Count) -> Int {
        let start = MonotonicTime.nowSeconds
        while true {
            let result = Int(call())
            let wantsMore = result == Int(GNUTLS_E_AGAIN) || result == Int(GNUTLS_E_INTERRUPTED)
            guard wantsMore, MonotonicTime.nowSeconds - start < timeoutSeconds else {
                return result
            }
        }
    }

    /// The trusted authorities.
    // SAFETY: after `init`, GnuTLS only reads the store, from any thread.
    private final class Trust: @unchecked Sendable {
        private(set) var store: gnutls_certificate_credentials_t?

        /// The system's authorities, read once because reading them takes a while.
        static let ofSystem = Trust(file: nil)

        init(file: String?) {
            gnutls_certificate_allocate_credentials(&store)
            if let file {
                gnutls_certificate_set_x509_trust_file(store, file, GNUTLS_X509_FMT_PEM)
            } else {
                gnutls_certificate_set_x509_system_trust(store)
            }
        }

        deinit { if let store { gnutls_certificate_free_credentials(store) } }
    }
}
