internal import Glibc
public import Pipelines
internal import Platform
public import SessionCore
internal import Synchronization

/// Makes a session follow the song, the scene, the tempo and the mute of another one.
///
/// A value of the other session is applied when it changes, and when the connection is made again.
/// Between these moments, this session can be changed by hand. Without a connection the session
/// continues as it is.
public final class SessionFollower: Sendable {
    private let loop: FollowLoop
    private let thread: OwnThread?

    /// Starts to follow.
    ///
    /// - Parameters:
    ///   - leader: The session to follow.
    ///   - token: The token that its server expects from other machines.
    ///   - control: The session that follows.
    ///   - report: Receives connections, losses and refusals, on the follower's thread.
    public init(
        of leader: FollowedSession, token: String?, control: any SessionControl,
        report: @escaping @Sendable (FollowNotice) -> Void
    ) {
        let loop = FollowLoop(leader, token: token, control, report)
        self.loop = loop
        thread = OwnThread(name: "follow") { loop.run() }
    }

    /// Stops following, and waits for the thread.
    deinit {
        loop.end()
        thread?.join()
    }
}

/// The work of the follower's thread.
private final class FollowLoop: Sendable {
    /// The time between two questions for the values, and between two attempts to connect, in
    /// seconds.
    private static let periodSeconds = 1.0
    /// The number of questions in a row without an answer after which the connection is lost.
    private static let mostSilences = 3
    /// The longest time in which the thread notices its end, in seconds.
    private static let stepSeconds = 0.1
    /// The longest wait for an own song, in seconds.
    private static let songSeconds = 60.0

    private let leader: FollowedSession
    private let token: String?
    private let control: any SessionControl
    private let report: @Sendable (FollowNotice) -> Void
    private let isOver = Atomic(false)

    init(
        _ leader: FollowedSession, token: String?, _ control: any SessionControl,
        _ report: @escaping @Sendable (FollowNotice) -> Void
    ) {
        self.leader = leader
        self.token = token
        self.control = control
        self.report = report
    }

    func end() { isOver.store(true, ordering: .relaxed) }

    private var hasEnded: Bool { isOver.load(ordering: .relaxed) }

    /// Follows until the end, and connects again after each loss.
    func run() {
        var lastReason: String?
        while !hasEnded {
            let reason: String
            do {
                let link = try FollowLink(to: leader, token: token)
                try follow(link) { lastReason = nil }
                return
            } catch let error as FollowLink.NoLink {
                reason = error.reason
            } catch let error as CallError {
                reason = Self.text(of: error)
            } catch {
                reason = "\(error)"
            }
            if reason != lastReason { notify(.lost(reason: reason)) }
            lastReason = reason
            pause(seconds: Self.periodSeconds)
        }
    }

    private func pause(seconds: Double) {
        let end = MonotonicTime.nowSeconds + seconds
        while !hasEnded, MonotonicTime.nowSeconds < end {
            usleep(UInt32(Self.stepSeconds * 1e6))
        }
    }

    /// Follows until the end, or until the other session no longer answers.
    private func follow(_ link: FollowLink, connected: () -> Void) throws {
        link.subscribe()
        var known: [String: Value] = [:]
        var refusals: [String: Value] = [:]
        var (mustCompare, silences, isConnected) = (true, 0, false)
        var due = MonotonicTime.nowSeconds
        while !hasEnded {
            var changed = isConnected ? link.changes(withinSeconds: Self.stepSeconds) : []
            if MonotonicTime.nowSeconds >= due || mustCompare {
                due = MonotonicTime.nowSeconds + Self.periodSeconds
                link.subscribe()
                do throws(CallError) {
                    let values = try link.values()
                    silences = 0
                    // A datagram with a change may be lost.
                    changed += values.filter { mustCompare || known[$0.address] != $0.value }
                    mustCompare = false
                } catch {
                    silences += 1
                    if error != .silence || !isConnected || silences == Self.mostSilences {
                        throw error
                    }
                }
            }
            for entry in changed { known[entry.address] = entry.value }
            // A scene may have arrived before its song.
            if apply(changed, &refusals) { mustCompare = true }
            if !isConnected {
                isConnected = true
                connected()
                notify(.connected)
            }
        }
    }

    // MARK: This session

    /// Applies values that differ from those of this session.
    ///
    /// - Parameters:
    ///   - changed: The values of the other session; the last one of an address counts.
    ///   - refusals: The last refused value of each address, so that it is reported once.
    /// - Returns: Whether another song has begun.
    private func apply(_ changed: [AddressValue], _ refusals: inout [String: Value]) -> Bool {
        var hasNewSong = false
        for address in FollowLink.addresses {
            guard let entry = changed.last(where: { $0.address == address }),
                entry.value != .text(""), differs(entry)
            else { continue }
            switch ask(.set(address, entry.value)) {
            case .refused(let reason, _)?:
                guard refusals[address] != entry.value else { continue }
                refusals[address] = entry.value
                notify(.refused(address: address, reason: reason))
            case .playing?: hasNewSong = true
            default: refusals[address] = nil
            }
        }
        return hasNewSong
    }

    /// Returns whether this session has another value, and can have the given one.
    private func differs(_ entry: AddressValue) -> Bool {
        // Without a setlist, the session has one song, whatever its name is.
        if entry.address == "song", case .description(let own)? = ask(.describe), !own.isSetlist {
            return false
        }
        guard case .values(let values)? = ask(.get(entry.address)), let own = values.first else {
            return true
        }
        if case (.number(let one), .number(let other)) = (own.value, entry.value) {
            // OSC rounds numbers to 32 bits.
            return abs(one - other) > 1e-5 * max(1, abs(one))
        }
        return own.value != entry.value
    }

    /// Returns the final answer of this session; `nil` if it gives none in time.
    private func ask(_ request: SessionRequest) -> Answer? {
        let mailbox = Mailbox<Answer>()
        control.ask(request) { mailbox.post($0) }
        let end = MonotonicTime.nowSeconds + Self.songSeconds
        while !hasEnded, MonotonicTime.nowSeconds < end {
            let step = (MonotonicTime.nowSeconds + Self.stepSeconds) * 1e9
            for answer in mailbox.wait(untilNanoseconds: UInt64(step)) {
                switch answer {
                case .preparing, .pending: continue
                default: return answer
                }
            }
        }
        return nil
    }

    private func notify(_ kind: FollowNotice.Kind) {
        report(FollowNotice(leader: leader.description, kind: kind))
    }

    private static func text(of error: CallError) -> String {
        switch error {
        case .silence: "it does not answer"
        case .incomplete: "parts of its answer were lost"
        case .tokenWanted: "it requires a token; use --osc-token-file"
        case .tokenRefused: "it has another token"
        case .refused(let reason), .failed(let reason): reason
        }
    }
}
