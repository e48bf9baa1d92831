/// A file that nodes of a box have read, as it was when they opened it.
public struct BoxFile: Sendable, Codable, Equatable {
    /// Where the contents are.
    public enum State: String, Sendable, Codable {
        /// In the box.
        case kept
        /// Only outside the box, because all files of the box together would be too long.
        case outside
        /// Nowhere: the file did not exist when a node opened it.
        case absent
        /// Lost: the file was changed or removed before the box was kept.
        case changed
        /// Left out, because the box contains no sound.
        case leftOut = "left-out"
    }

    /// The path that the pipeline names.
    public var path: String
    /// The numbers of the schedules whose nodes used it.
    public var schedules: [UInt64]
    /// Where the contents are.
    public var state: State
    /// The name in the box; empty if it is not there.
    public var name = ""
    /// The length in bytes.
    public var byteCount = 0
    /// The checksum, as 16 hexadecimal digits; empty if the contents were not read.
    public var checksum = ""
}

extension BoxFile {
    /// The file of a box that is written again without sound.
    var withoutContents: BoxFile {
        var file = self
        if state != .absent { (file.state, file.name) = (.leftOut, "") }
        return file
    }
}
