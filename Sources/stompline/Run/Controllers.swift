internal import Control
internal import HTTPServer
internal import JackHost
internal import LV2
internal import SessionCore

/// The controllers of a session: OSC, the page, the terminal view, and a session manager.
final class Controllers {
    private let remote: SessionRemote
    private var osc: (server: OSCServer, control: any SessionControl)?
    private var http: (server: PageServer, control: any SessionControl, watch: FileWatch?)?
    private var managed: ManagerRequestHandler?

    /// Creates no controllers yet.
    ///
    /// - Parameter remote: The session.
    init(of remote: SessionRemote) { self.remote = remote }

    /// Opens the requested controllers.
    ///
    /// - Parameters:
    ///   - options: The options for OSC and the page.
    ///   - session: The request of a session manager; `nil` without a manager.
    ///   - file: The current file.
    ///   - plugins: The installed plugins, for the page.
    ///   - report: Shows the terminal view and the notices of the page's server.
    /// - Throws: `Failure` if a port is in use.
    func open(
        _ options: RemoteOptions, _ session: ManagedSession?, _ file: PlayedFile,
        _ plugins: PluginWorld, _ report: RunReport
    ) throws {
        let control = remote.control(for: .remote)
        if let server = try options.openOSC(for: control, warn: report.warn(of:)) {
            control.watch { server.receive($0) }
            osc = (server, control)
        }
        let pageControl = remote.control(for: .remote)
        if let server = try options.openHTTP(
            for: pageControl, PageSupport.services(file, plugins), report)
        {
            pageControl.watch { [weak server] in server?.receive($0) }
            http = (server, pageControl, Self.watch(server))
        }
        report.showView(
            file.firstOverview, control: remote.control(), pair: pairing
        ) { [remote] in remote.stop() }
        managed = try session?.follow(remote.control(for: .remote)) { [weak file] in
            file?.play($0, as: $1, done: $2)
        }
    }

    /// The action that shows a code for a pairing; `nil` if other machines cannot reach the page.
    private var pairing: (@Sendable () -> Void)? {
        guard let server = http?.server, server.remotesPath != nil else { return nil }
        return { [weak server] in server?.makeCode() }
    }

    /// Watches the file of the paired devices, which `stompline remotes` changes.
    private static func watch(_ server: PageServer) -> FileWatch? {
        guard let path = server.remotesPath else { return nil }
        let watch = FileWatch { [weak server] _ in server?.followRemotes() }
        watch.watch([path])
        return watch
    }

    /// Closes all controllers and waits for their threads.
    func close() {
        osc?.control.watch(nil)
        http?.control.watch(nil)
        (osc, http, managed) = (nil, nil, nil)
    }
}
