internal import Engine
internal import Processing
internal import Show
internal import Threads

// How other songs take the place of those that play, under another name.

extension SessionLoop {
    /// Prepares what is to play beside what plays.
    func prepare(_ next: Succession) {
        let isEdit = session.server.isNamed(next.clientName)
        _ = Errand { [mailbox = session.mailbox, format] in
            do throws(SessionFault) {
                let show = try Show(
                    playing: next.songs, catalogue: next.catalogue, format: format,
                    mailbox: mailbox)
                // As an edit it is prepared with what plays: this one has shown that it can be.
                mailbox.post(
                    isEdit ? .follows(next) : .ready(Successor(succession: next, show: show)))
            } catch {
                mailbox.post(.unfit(next, error.sentence))
            }
        }
    }

    /// Follows what bears the same name.
    func follow(_ next: Succession) {
        guard session.show.hasRoom(for: next.songs) else {
            return next.done("its inputs and outputs do not go together with those that play")
        }
        next.done(nil)
        session.show.turn(to: next.songs)
    }

    /// Lets what plays fade for what is ready, once the client can be closed.
    mutating func makeRoom() {
        guard successor != nil, presence.isSettled else { return }
        guard session.stay != nil else { return giveWay() }
        _ = session.engine.fadeOut(seconds: Self.fadeSeconds)
        phase = .yielding(patientUntil: fadePatienceEnd)
    }

    /// Leaves the server, and looks for it anew under the other name.
    mutating func giveWay() {
        guard let next = successor?.succession, let show = successor?.show else { return }
        successor = nil
        let former = session.succeed(by: show, named: next.name)
        session.server.rename(to: next.clientName)
        arriving = next
        if let stay = session.stay {
            leaveFreewheel()
            leave(stay, hasServer: true, freeing: former)
            phase = .starting
        }
        pipeline = session.pipeline
        plan = session.plan
        gauge.follow(show.playing.nodeIDs)
        faults.follow(show.playing.nodeIDs)
        clerk = MetadataClerk(session.options, pipelineName: next.name)
        guard interlude != nil else { return }
        // Nobody waits for a server that is gone.
        interlude = Interlude(session.engine.audio)
        _ = session.engine.fadeIn(seconds: Self.fadeSeconds)
        arrive()
    }

    /// Tells that what took the place of what played is heard.
    mutating func arrive() {
        guard let next = arriving else { return }
        arriving = nil
        let given = session.server.clientName
        if !session.server.isNamed(next.clientName) {
            tell(.nameTaken(wished: next.clientName, given: given))
        }
        for pattern in session.keeper.faultyPatterns { tell(.faultyPattern(pattern)) }
        tell(.switched(clientName: given, pipelineName: session.name))
        next.done(nil)
        session.show.tell(.structure)
    }
}
