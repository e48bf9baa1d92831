/// The program's version.
enum Version {
    /// The version, as `--version` prints it.
    static let text = "0.2.0"
}
