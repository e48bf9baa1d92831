internal import BlackBox
internal import Glibc
internal import Platform

/// The folder that contains the user's boxes.
struct BoxFolder {
    /// The number of boxes that remain, of those that the user asked for and of all others.
    private static let mostBoxes = 20
    /// The time without a change after which a box is not being written any more, in seconds.
    private static let abandonedSeconds = 3600
    private static let unfinishedEnding = BoxWriter.ending + BoxWriter.unfinishedEnding
    private static let requestedEnding = "-\(BoxReason.Kind.keep.rawValue)\(BoxWriter.ending)"

    /// The path; `nil` without a home.
    static var path: String? { UserFolder.state.map { $0 + "/boxes" } }

    private let path: String

    /// Creates the folder unless it exists; `nil` if that is not possible.
    init?() {
        guard let path = Self.path, UserFolder.make(path) else { return nil }
        self.path = path
    }

    /// Returns the path of a new box.
    ///
    /// Names begin with the local time, so their order is that of time.
    ///
    /// - Parameters:
    ///   - session: The name of the session.
    ///   - number: A number that no other box of this process has.
    ///   - kind: The reason for the box.
    /// - Returns: The path.
    func newBox(of session: String, number: Int, _ kind: BoxReason.Kind) -> String {
        var now = time(nil)
        var parts = tm()
        localtime_r(&now, &parts)
        var text = [CChar](repeating: 0, count: 32)
        strftime(&text, text.count, "%Y%m%d-%H%M%S", &parts)
        let stamp = String(
            decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let safe = session.map { $0.isLetter || $0.isNumber ? $0 : "-" }.prefix(24)
        // Two programs that play the same pipeline can write boxes in the same second.
        let unique = "\(getpid())-\(number)"
        return "\(path)/\(stamp)-\(unique)-\(String(safe))-\(kind.rawValue)\(BoxWriter.ending)"
    }

    /// Removes the oldest boxes, and parts of boxes that programs left when they were killed.
    ///
    /// Boxes that nobody asked for never replace one that the user asked for.
    func removeOld() {
        let names = UserFolder.names(in: path)
        let boxes = names.filter { $0.hasSuffix(BoxWriter.ending) }
        let requested = boxes.filter { $0.hasSuffix(Self.requestedEnding) }
        let others = boxes.filter { !$0.hasSuffix(Self.requestedEnding) }
        let old = requested.dropLast(Self.mostBoxes) + others.dropLast(Self.mostBoxes)
        let abandoned = names.filter {
            $0.hasSuffix(Self.unfinishedEnding) && isAbandoned("\(path)/\($0)")
        }
        for name in old + abandoned { BoxWriter.remove("\(path)/\(name)") }
    }

    private func isAbandoned(_ folder: String) -> Bool {
        var status = stat()
        return lstat(folder, &status) == 0
            && time(nil) - status.st_mtim.tv_sec > Self.abandonedSeconds
    }
}
