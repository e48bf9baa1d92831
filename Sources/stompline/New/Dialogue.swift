internal import Glibc
internal import Platform

/// Questions in a terminal, on standard error, so that standard output contains results only.
struct Dialogue {
    /// Whether a user can answer: standard input and standard error are terminals.
    static var isPossible: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    /// Shows a text of one or more lines.
    func show(_ text: String) { Console.tell(text + "\n") }

    /// Asks until an answer is accepted.
    ///
    /// - Parameters:
    ///   - question: The question, without a space at its end.
    ///   - accept: Returns the result for a line, or the reason why it is refused.
    /// - Returns: The accepted answer.
    /// - Throws: `Failure` if the input has ended.
    func ask<Answer>(
        _ question: String, accept: (String) -> Result<Answer, Refusal>
    ) throws -> Answer {
        while true {
            Console.tell(question + " ")
            guard let line = readLine() else {
                Console.tell("\n")
                throw Failure.usage("there was no answer; nothing was written")
            }
            switch accept(line) {
            case .success(let answer): return answer
            case .failure(let refusal): show("  \(refusal.reason)")
            }
        }
    }

    /// The reason why an answer is refused, as a sentence without a capital letter.
    struct Refusal: Error {
        let reason: String
    }
}
