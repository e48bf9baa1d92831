internal import CSndfile
internal import Glibc
internal import Platform

/// The error messages of libsndfile, as sentences without a full stop.
enum SoundLibrary {
    /// Returns why the last `sf_open` failed.
    static func openingError() -> String {
        // If the system refused, its own message is clearer.
        let reason = SystemError.last
        let isSystem = sf_error(nil) == Int32(SF_ERR_SYSTEM) && reason.number != 0
        return isSystem ? reason.message : error(of: nil)
    }

    /// Returns why the last call on an open file failed.
    static func error(of file: OpaquePointer?) -> String { sentence(sf_strerror(file)) }

    /// Returns the meaning of a status of `sf_close`.
    static func closingError(_ status: Int32) -> String { sentence(sf_error_number(status)) }

    private static func sentence(_ text: UnsafePointer<CChar>?) -> String {
        guard let text else { return "unknown reason" }
        var sentence = String(cString: text)
        while let last = sentence.last, last == "." || last.isWhitespace { sentence.removeLast() }
        return sentence
    }
}
