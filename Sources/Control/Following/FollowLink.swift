internal import Pipelines
internal import Platform
internal import SessionCore

/// The connection to the session that is followed: one port for events, and one for questions.
///
/// One thread uses it.
final class FollowLink {
    /// The addresses that are followed, in the order in which they are applied.
    static let addresses = ["song", "scene", "tempo", "mute"]
    /// The time that a subscription lasts without being renewed, in seconds.
    private static let subscriptionSeconds: Float = 10
    /// The longest wait for an answer, in seconds.
    private static let answerSeconds = 0.5

    private let events: OSCCaller
    private let questions: RemoteSession

    /// The reason why there is no connection.
    struct NoLink: Error { var reason: String }

    /// Opens both ports; nothing is sent yet.
    ///
    /// - Throws: `NoLink` if the machine is not known, or the system has no port left.
    init(to leader: FollowedSession, token: String?) throws(NoLink) {
        guard let endpoint = Endpoint(host: leader.host, port: leader.port) else {
            throw NoLink(reason: "the machine \(leader.host) is not known")
        }
        do throws(SocketError) {
            events = try OSCCaller(to: endpoint, token: token)
            questions = try RemoteSession(
                at: endpoint, token: token, timeoutSeconds: Self.answerSeconds)
        } catch {
            throw NoLink(reason: "\(error)")
        }
    }

    /// Subscribes to the followed addresses, or renews the subscriptions.
    func subscribe() {
        events.send(
            Self.addresses.map {
                OSCMessage(
                    "/subscribe", .text(OSCAddress.path(typed: $0)),
                    .float(Self.subscriptionSeconds))
            })
    }

    /// Returns the current values of the followed addresses.
    ///
    /// - Throws: `CallError`.
    func values() throws(CallError) -> [AddressValue] {
        var values: [AddressValue] = []
        for address in Self.addresses { values += try questions.values(of: address) }
        return values
    }

    /// Returns the changes that have arrived, after a wait for the first one.
    func changes(withinSeconds seconds: Double) -> [AddressValue] {
        (events.next(withinSeconds: seconds) ?? []).compactMap(\.entry)
            .filter { Self.addresses.contains($0.address) }
    }
}
