@testable internal import Control
internal import SessionCore

extension FuzzTarget {
    /// The state file that `run --resume` reads: a session starts from it, and its state is written
    /// and read again.
    static let resume = FuzzTarget(
        name: "resume",
        run: { bytes in
            InputFile.write(bytes, to: stateFile.path)
            guard let snapshot = try? stateFile.read() else { return }
            if snapshot.isFinite {
                require(copy(of: snapshot) == snapshot, "the state reads differently when written")
            }
            let songs = OSCConversation.collection
            let (point, unused) = songs.startingPoint(resuming: snapshot)
            require(songs.songs.indices.contains(point.song), "there is no song \(point.song)")
            require(unused.allSatisfy { !$0.isEmpty }, "a part is left out without a reason")
            let state = stateOfSession(from: point)
            require(state.isFinite, "the session has a number that is not finite")
            require(copy(of: state) == state, "the session's state reads differently when written")
            let (again, left) = songs.startingPoint(resuming: state)
            require(left.isEmpty, "the session's own state does not fit: \(left)")
            require(
                stateOfSession(from: again) == state,
                "the second session that continues has another state than the first")
        },
        seeds: {
            [
                SessionSnapshot(
                    song: "first", number: 1, scene: "chorus",
                    values: [
                        AddressValue("level.gain", .number(-6.25)),
                        AddressValue("echo.bypass", .toggle(false)),
                        AddressValue("cut-off.shape", .text("notch")),
                    ], tempo: 93.5, isMuted: true, gainDecibels: -9),
                SessionSnapshot(song: "second", number: 2),
                SessionSnapshot(
                    song: "none \"\u{1F3B8}\"", number: -1, scene: "\n", tempo: 1e300,
                    gainDecibels: 1e9),
            ].map {
                write($0)
                return InputFile.bytes(stateFile.path)
            }
        })

    /// The state file of a setlist.
    private static let stateFile = ResumeFile(for: "/songs/night.json", in: InputFile.folder)

    private static func write(_ snapshot: SessionSnapshot) {
        do { try stateFile.write(snapshot) } catch { fatalError("\(error)") }
    }

    /// Returns a state after it was written and read.
    private static func copy(of snapshot: SessionSnapshot) -> SessionSnapshot? {
        write(snapshot)
        do { return try stateFile.read() } catch { fatalError("a written state: \(error)") }
    }

    /// Returns the state of a session that started at a point and has rendered some blocks.
    private static func stateOfSession(from point: StartingPoint) -> SessionSnapshot {
        do {
            let stage = try Stage(OSCConversation.collection.songs, from: point)
            stage.play(blocks: 4)
            stage.checkValues()
            return stage.session.snapshot
        } catch { fatalError("the session does not begin: \(error)") }
    }
}

extension SessionSnapshot {
    /// Whether all numbers are finite; JSON has no other numbers.
    fileprivate var isFinite: Bool {
        gainDecibels.isFinite && (tempo ?? 0).isFinite
            && values.allSatisfy {
                if case .number(let number) = $0.value { number.isFinite } else { true }
            }
    }
}
