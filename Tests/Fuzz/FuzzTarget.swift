/// A parser or state machine that receives random input.
struct FuzzTarget: Sendable {
    /// The name on the command line and of the corpus folder.
    let name: String
    /// Handles one input; a trap, a failed check, a hang or a sanitizer report is a finding.
    let run: @Sendable ([UInt8]) -> Void
    /// Creates a new input from an old one; `nil` for libFuzzer's own mutations.
    var mutate: (@Sendable ([UInt8], Dice) -> [UInt8])?
    /// Initial inputs in addition to the corpus.
    var seeds: @Sendable () -> [[UInt8]] = { [] }
    /// Describes an input, with one line per step.
    var explain: @Sendable ([UInt8]) -> [String] = { [String(decoding: $0, as: UTF8.self)] }

    /// All targets, in the order of the documentation.
    static let all = [
        pipeline, textEdit, patch, save, osc, oscPattern, accessControl, session, resume,
        managerMessages, midi, midiFile, soundFile, loopFile, streamWords, gateway, address,
        pluginShare, pluginWords, edits, cues, http, pairing, page, commandLine, keys, machine,
    ]
}

/// Terminates the process if a requirement is not met.
///
/// `precondition` prints no message in release builds.
func require(
    _ isTrue: Bool, _ message: @autoclosure () -> String, file: StaticString = #fileID,
    line: UInt = #line
) {
    if !isTrue { fatalError(message(), file: file, line: line) }
}
