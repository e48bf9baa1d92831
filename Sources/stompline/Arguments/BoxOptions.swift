internal import ArgumentParser

/// The options for the black box of a session.
struct BoxOptions: ParsableArguments {
    @Option(
        name: .customLong("box"),
        help: ArgumentHelp(
            "The time that the black box keeps: 1 to 3600; 0 switches it off.",
            discussion:
                "After an xrun, a panic, a NaN, a crash, or 'stompline ctl keep', it is written to "
                + "~/.local/state/stompline/boxes. 'stompline replay' renders it again.",
            valueName: "seconds"))
    var seconds = 120.0

    @Flag(
        name: .customLong("box-privacy"),
        help: "Leave the sound out of boxes that are written.")
    var isPrivate = false

    func validate() throws {
        guard seconds == 0 || (1...3600).contains(seconds) else {
            throw ValidationError("--box must be 0, or 1 to 3600 seconds")
        }
    }
}
