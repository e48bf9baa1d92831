internal import CSndfile
internal import Glibc

/// What libsndfile says of itself, in sentences without their full stop.
enum SoundLibrary {
    /// Why the last `sf_open` failed.
    static func openingFault() -> String {
        // Where the system refused, its own words are the plainer ones.
        let reason = errno
        if sf_error(nil) == Int32(SF_ERR_SYSTEM), reason != 0, let text = strerror(reason) {
            return String(cString: text)
        }
        return fault(of: nil)
    }

    /// Why the last call on an open file failed.
    static func fault(of file: OpaquePointer?) -> String { sentence(sf_strerror(file)) }

    /// What the status that `sf_close` returned means.
    static func closingFault(_ status: Int32) -> String { sentence(sf_error_number(status)) }

    private static func sentence(_ text: UnsafePointer<CChar>?) -> String {
        guard let text else { return "unknown reason" }
        var sentence = String(cString: text)
        while let last = sentence.last, last == "." || last.isWhitespace { sentence.removeLast() }
        return sentence
    }
}
