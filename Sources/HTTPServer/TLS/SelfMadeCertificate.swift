internal import CGnuTLS
internal import Glibc

/// A certificate that this machine makes and signs itself, with a new key.
///
/// It encrypts connections, but no authority vouches for it: browsers show a warning until the user
/// accepts it. It cannot sign other certificates, so a browser that accepts it trusts nothing else.
enum SelfMadeCertificate {
    /// The time for which it is valid, in seconds: 825 days, the longest that all browsers accept.
    private static let validSeconds = 825 * 86_400
    /// The time before its creation from which it is valid, in seconds: the clocks of other
    /// machines may be slow.
    private static let earlySeconds = 86_400
    private static let serialBytes = 16
    /// The object identifier of the common name.
    private static let commonName = "2.5.4.3"
    /// The object identifier of the purpose: a server in the web.
    private static let webServer = "1.3.6.1.5.5.7.3.1"

    /// Makes a certificate.
    ///
    /// - Parameters:
    ///   - names: The names of the server; the first one is not empty.
    ///   - addresses: The addresses of the server.
    /// - Returns: The certificate and its key in the format PEM.
    /// - Throws: `CertificateError` if the machine has no random numbers.
    static func pem(
        names: [String], addresses: [IPAddress]
    ) throws(CertificateError) -> [UInt8] {
        var key: gnutls_x509_privkey_t?
        var certificate: gnutls_x509_crt_t?
        try check(gnutls_x509_privkey_init(&key))
        defer { gnutls_x509_privkey_deinit(key) }
        try check(gnutls_x509_crt_init(&certificate))
        defer { gnutls_x509_crt_deinit(certificate) }
        let bits = gnutls_sec_param_to_pk_bits(GNUTLS_PK_ECDSA, GNUTLS_SEC_PARAM_HIGH)
        try check(gnutls_x509_privkey_generate(key, GNUTLS_PK_ECDSA, bits, 0))
        try describe(certificate, names: names, addresses: addresses)
        try check(gnutls_x509_crt_set_key(certificate, key))
        try check(gnutls_x509_crt_sign2(certificate, certificate, key, GNUTLS_DIG_SHA256, 0))
        return try text { gnutls_x509_crt_export(certificate, GNUTLS_X509_FMT_PEM, $0, $1) }
            + text { gnutls_x509_privkey_export_pkcs8(key, GNUTLS_X509_FMT_PEM, nil, 0, $0, $1) }
    }

    /// Sets the names, the times and the purpose.
    private static func describe(
        _ certificate: gnutls_x509_crt_t?, names: [String], addresses: [IPAddress]
    ) throws(CertificateError) {
        var random = SystemRandomNumberGenerator()
        var serial = (0..<serialBytes).map { _ in UInt8.random(in: 0...255, using: &random) }
        // The number must be positive and not 0.
        serial[0] = serial[0] & 0x7f | 0x40
        let now = time(nil)
        let name = Array(names[0].utf8)
        try check(gnutls_x509_crt_set_version(certificate, 3))
        try check(gnutls_x509_crt_set_serial(certificate, serial, serial.count))
        try check(gnutls_x509_crt_set_activation_time(certificate, now - earlySeconds))
        try check(gnutls_x509_crt_set_expiration_time(certificate, now + validSeconds))
        try check(
            gnutls_x509_crt_set_dn_by_oid(certificate, commonName, 0, name, UInt32(name.count)))
        for name in names {
            let bytes = Array(name.utf8)
            try check(
                gnutls_x509_crt_set_subject_alt_name(
                    certificate, GNUTLS_SAN_DNSNAME, bytes, UInt32(bytes.count),
                    UInt32(GNUTLS_FSAN_APPEND)))
        }
        for address in addresses {
            try check(
                gnutls_x509_crt_set_subject_alt_name(
                    certificate, GNUTLS_SAN_IPADDRESS, address.bytes,
                    UInt32(address.bytes.count), UInt32(GNUTLS_FSAN_APPEND)))
        }
        try check(gnutls_x509_crt_set_basic_constraints(certificate, 0, -1))
        try check(
            gnutls_x509_crt_set_key_usage(certificate, UInt32(GNUTLS_KEY_DIGITAL_SIGNATURE)))
        try check(gnutls_x509_crt_set_key_purpose_oid(certificate, webServer, 0))
    }

    /// Returns the text that a function of GnuTLS writes into a buffer.
    private static func text(
        _ export: (UnsafeMutableRawPointer?, UnsafeMutablePointer<Int>) -> Int32
    ) throws(CertificateError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        var count = bytes.count
        let status = bytes.withUnsafeMutableBufferPointer { export($0.baseAddress, &count) }
        try check(status)
        return Array(bytes.prefix(count))
    }

    private static func check(_ status: Int32) throws(CertificateError) {
        guard status >= 0 else {
            throw CertificateError(
                "no certificate can be made: \(String(cString: gnutls_strerror(status)))")
        }
    }
}
