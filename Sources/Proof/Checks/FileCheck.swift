internal import Pipelines
internal import SessionCore

/// Missing files and plugins, and other errors of the files.
enum FileCheck: NightCheck {
    static let id = "files"
    static let title = "files"
    static let why = "A sound or plugin that cannot be read is not heard on stage."

    static func findings(in night: PlayedNight) -> [Finding] {
        let problems = night.problems
        guard problems.isEmpty else { return problems.map { finding(for: $0, in: night) } }
        let count = night.songs.songs.count
        let songs = count == 1 ? "the song" : "all \(count) songs"
        return [finding(.good, "All files and plugins of \(songs) can be read.")]
    }

    private static func finding(for problem: Problem, in night: PlayedNight) -> Finding {
        let song = problem.song ?? night.songs.songs.first?.name ?? ""
        let place =
            problem.song == nil && night.songs.isSetlist
            ? nil : Place(song: song, node: problem.node)
        let error = problem.diagnostic
        let hint = error.suggestion.map { "; did you mean \($0)?" } ?? "."
        return finding(
            problem.consequence == .ignored ? .notice : .bad,
            "\(error.file):\(error.line): \(error.message)\(hint) \(consequence(of: problem))",
            at: place,
            fix: "Correct the file, or install what is missing; \"stompline check\" shows details.")
    }

    private static func consequence(of problem: Problem) -> String {
        switch problem.consequence {
        case .skipped: "The song is not played."
        case .dry: "The node passes its input through."
        case .silent: "The node is silent."
        case .ignored: "This part of the file does not apply."
        }
    }
}
