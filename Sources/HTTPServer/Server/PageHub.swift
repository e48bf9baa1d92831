internal import Glibc
internal import NIOCore
internal import Pipelines
internal import Platform
internal import SessionCore

/// The objects that all connections share: the state of the session, the requests to it, and the
/// pages.
///
/// Only the server's thread uses it.
final class PageHub {
    /// The time in which the levels of one measurement arrive, in milliseconds.
    private static let levelsMilliseconds: Int64 = 2

    let limits: ServerLimits
    let check: SiteCheck
    let access: RemoteAccess
    let requests: SessionRequests
    let assets = PageAssets()
    /// What the program does with files and plugins.
    let services: PageServices
    /// Work that may wait.
    let work: BlockingWork
    let palette: Palette
    /// The files of the folders of files that play.
    let library = LibraryList()
    /// The number of files that clients send now.
    private var uploadCount = 0
    private(set) var state: LiveState
    private var scope = SongScope()
    private var drawing: SongDrawing
    private let loop: any EventLoop
    private let inbox: SessionInbox
    private let notify: @Sendable (ServerNotice) -> Void
    private var refusals = RefusalLog()
    private var isReportingRefusals = false
    private var connections: OpenConnections
    private var pages: [ObjectIdentifier: LivePage] = [:]
    private var watched: WatchedMeasurements
    /// Whether measurements wait for the next changes, which are due soon.
    private var areMetersWaiting = false
    private var isDescriptionRequested = false
    private var isDescriptionOld = false
    private var waitingForDescription: [() -> Void] = []
    private var isFlushScheduled = false
    private var lastFlushSeconds = -Double.infinity
    private var timer: Scheduled<Void>?
    private var isClosing = false
    /// The number of answered HTTP requests.
    private(set) var requestCount = 0

    init(
        _ control: any SessionControl, inbox: SessionInbox, loop: any EventLoop,
        check: SiteCheck, access: RemoteAccess, limits: ServerLimits, version: String,
        drawing: @escaping DrawnSong.Maker, services: PageServices,
        notify: @escaping @Sendable (ServerNotice) -> Void
    ) {
        self.services = services
        work = BlockingWork(loop)
        palette = Palette(work, services.palette)
        self.limits = limits
        self.check = check
        self.access = access
        self.inbox = inbox
        self.loop = loop
        self.notify = notify
        requests = SessionRequests(to: control, inbox: inbox, limits: limits)
        connections = OpenConnections(limits)
        watched = WatchedMeasurements(requests)
        var generator = SystemRandomNumberGenerator()
        let run = String(UInt32.random(in: .min ... .max, using: &generator), radix: 16)
        state = LiveState(version: version, run: run)
        self.drawing = SongDrawing(drawing)
        access.onChange = { [weak self] in self?.follow(revoked: $0, changed: $1) }
    }

    /// The time of the monotonic clock, in seconds.
    var nowSeconds: Double { MonotonicTime.nowSeconds }

    // MARK: Connections

    /// The number of open connections.
    var connectionCount: Int { connections.count }
    /// The number of connected pages.
    var pageCount: Int { pages.count }

    /// Adds a connection.
    ///
    /// - Returns: Whether there was room.
    func add(_ connection: any TimedConnection, from peer: Peer) -> Bool {
        guard !isClosing, connections.add(connection, from: peer, isLocal: access.isLocal(peer))
        else { return false }
        startTimer()
        return true
    }

    /// Removes a connection, and its requests.
    func remove(_ connection: any TimedConnection) {
        let id = ObjectIdentifier(connection)
        connections.remove(id)
        requests.forget(id)
        if pages.removeValue(forKey: id) != nil { followPages() }
    }

    /// Replaces a connection by the page that it has become.
    func add(_ page: LivePage, insteadOf connection: any TimedConnection) {
        connections.replace(ObjectIdentifier(connection), with: page)
        pages[ObjectIdentifier(page)] = page
        followPages()
        page.requestSnapshot()
        if !state.isCurrent { requestDescription() }
        scheduleFlush()
    }

    /// Ends all connections.
    func end() {
        isClosing = true
        flush()
        for connection in connections.all { connection.end() }
        timer?.cancel()
        timer = nil
        work.end()
    }

    /// Adapts to the pages that are connected, and to the meters that they watch.
    func followPages() {
        watched.follow(pages.values, nowSeconds: nowSeconds)
        inbox.listen(pages: !pages.isEmpty, meters: watched.includesMeters)
        if pages.isEmpty { state.sleep() }
    }

    // MARK: Access

    /// Returns the reason why a visitor must not do something, a sentence without its full stop;
    /// `nil` if it is allowed.
    ///
    /// All requests over HTTP and of pages are checked here.
    func refusal(of deed: Deed, by visitor: Visitor) -> String? {
        if deed == .open || deed == .pair { return nil }
        guard let permit = access.permit(of: visitor) else { return "this device is not paired" }
        // The check must not use the mixers and bindings of another song.
        if permit.dependsOnSong(deed), !state.isCurrent { return "the session does not answer" }
        return permit.refusal(of: deed, in: scope)
    }

    /// Returns the text of the part `access` for a visitor.
    func accessText(of visitor: Visitor) -> String {
        guard let permit = access.permit(of: visitor) else { return "null" }
        return AccessJSON.object(permit, of: access.device(visitor), in: scope).text
    }

    /// Ends the connections of revoked devices, and informs those whose rights have changed.
    private func follow(revoked: Set<String>, changed: Set<String>) {
        for connection in connections.all {
            guard let id = connection.visitor.deviceID, revoked.contains(id) else { continue }
            connection.revoke()
        }
        let informed = pages.values.filter { changed.contains($0.visitor.deviceID ?? "") }
        guard !informed.isEmpty else { return }
        state.noteAccess()
        for page in informed { page.requestAccess() }
        scheduleFlush()
    }

    // MARK: Time

    private func startTimer() {
        guard timer == nil else { return }
        timer = loop.assumeIsolated().scheduleTask(in: .seconds(1)) { [weak self] in
            self?.checkTime()
        }
    }

    private func checkTime() {
        timer = nil
        let now = nowSeconds
        for connection in connections.all { connection.checkTime(nowSeconds: now) }
        requests.expire(nowSeconds: now)
        if connections.count > 0 { startTimer() }
    }

    // MARK: Uploads

    /// Counts a file that a client begins to send.
    ///
    /// - Returns: Whether there was room.
    func beginUpload() -> Bool {
        guard uploadCount < limits.uploads else { return false }
        uploadCount += 1
        return true
    }

    /// Counts a file that a client has sent, or given up.
    func endUpload() { uploadCount -= 1 }

    // MARK: The session

    /// Handles all answers and events of the session.
    func receive() {
        let contents = inbox.popAll()
        let now = nowSeconds
        var changes = StateChanges()
        changes.droppedCount = contents.droppedCount
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let wall = Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        let described = contents.newestDescription
        // Events that arrive together with a description are at least as new as it, or it contains
        // what they say.
        if let described {
            drawing.follow(described)
            scope = SongScope(described.pipeline)
            merge(state.follow(described, nowSeconds: now), into: &changes)
        }
        for event in contents.events {
            state.receive(event, &changes, nowSeconds: now, wallSeconds: wall)
            follow(event)
        }
        if contents.isDescriptionOld { isDescriptionOld = true }
        for (number, answer) in contents.answers {
            requests.receive(answer, to: number, nowSeconds: now)
        }
        if state.isCurrent { receive(contents, &changes, isDescribed: described != nil) }
        if described != nil {
            resumeAfterDescription()
            // A new page waits for its snapshot even if nothing has changed since the last page.
            if !pages.isEmpty { scheduleFlush() }
        }
        if isDescriptionOld, !pages.isEmpty { requestDescription() }
        publish(changes)
    }

    /// Receives values and reports.
    ///
    /// Values that arrive together with a description are at least as new as it. Addresses that the
    /// description does not contain belong to the previous song.
    private func receive(
        _ contents: SessionInbox.Contents, _ changes: inout StateChanges, isDescribed: Bool
    ) {
        let now = nowSeconds
        for (address, value) in contents.values
        where !isDescribed || state.value(address) != nil {
            state.receive(AddressValue(address, value), &changes, nowSeconds: now)
        }
        for (address, report) in contents.reports where !isDescribed || state.hasReport(address) {
            state.receive(report, &changes)
        }
    }

    private func resumeAfterDescription() {
        let waiting = waitingForDescription
        waitingForDescription = []
        for resume in waiting { resume() }
    }

    private func follow(_ event: SessionEvent) {
        switch event {
        case .problems, .songSkipped: isDescriptionOld = true
        case .status(let status): drawing.follow(status)
        case .switched: watched.requestAgain(nowSeconds: nowSeconds)
        default: break
        }
    }

    private func merge(_ new: StateChanges, into changes: inout StateChanges) {
        changes.values.formUnion(new.values)
        changes.reports.formUnion(new.reports)
        changes.parts.formUnion(new.parts)
        changes.needsSnapshot = changes.needsSnapshot || new.needsSnapshot
    }

    /// Calls a function when the state is current.
    func whenCurrent(_ body: @escaping () -> Void) {
        if state.isCurrent { return body() }
        guard waitingForDescription.count < limits.connections else { return }
        waitingForDescription.append(body)
        requestDescription()
    }

    /// Calls a function when the files that play are known.
    ///
    /// Unlike values, they need no new description, which takes long for a long file.
    func whenFilesKnown(_ body: @escaping () -> Void) {
        if state.knowsFiles { body() } else { whenCurrent(body) }
    }

    /// Returns the drawing of the current song as SVG; `nil` if it is not known.
    func drawCurrentSong() -> String? { state.isCurrent ? drawing.svg() : nil }

    private func requestDescription() {
        guard !isDescriptionRequested else {
            isDescriptionOld = true
            return
        }
        isDescriptionRequested = true
        isDescriptionOld = false
        _ = requests.send(.describe, for: nil, nowSeconds: nowSeconds) { [weak self] answer in
            self?.isDescriptionRequested = false
            // The session does not answer; the waiting functions find that the state is out of
            // date.
            if answer == nil { self?.resumeAfterDescription() }
        }
    }

    // MARK: Pages

    private func publish(_ changes: StateChanges) {
        if pages.isEmpty { state.sleep() }
        guard !changes.isEmpty, !pages.isEmpty else { return }
        for page in pages.values { page.add(changes) }
        scheduleFlush()
    }

    /// Sends the waiting changes soon.
    func scheduleFlush() {
        guard !isFlushScheduled, !isClosing else { return }
        isFlushScheduled = true
        let wait = max(0, lastFlushSeconds + 1 / limits.changesPerSecond - nowSeconds)
        loop.assumeIsolated().scheduleTask(in: .microseconds(Int64(wait * 1e6))) { [weak self] in
            self?.flush()
        }
    }

    private func flush() {
        isFlushScheduled = false
        lastFlushSeconds = nowSeconds
        if areMetersWaiting { writeMeters() }
        flushPages()
    }

    private func flushPages() {
        var texts = ChangeTexts(state)
        for page in pages.values { page.flush(&texts, state) }
    }

    /// Sends levels to the pages that watch them, when all levels of a measurement have arrived.
    func receiveMeasurements() {
        loop.assumeIsolated().scheduleTask(in: .milliseconds(Self.levelsMilliseconds)) {
            [weak self] in self?.sendMeters()
        }
    }

    private func sendMeters() {
        // Each write to the system costs more than its contents, so levels go with changes.
        areMetersWaiting = isFlushScheduled
        guard !areMetersWaiting else { return }
        writeMeters()
        flushPages()
    }

    private func writeMeters() {
        areMetersWaiting = false
        let measurements = inbox.popMeasurements()
        let now = nowSeconds
        for page in pages.values { page.write(measurements, state, nowSeconds: now) }
    }

    // MARK: Counts

    /// Counts a request over HTTP.
    func countRequest() { requestCount += 1 }

    /// The number of refused requests.
    var refusedCount: Int { refusals.total }

    /// Counts a refused request, and reports it soon.
    func refuse(_ refusal: ServerNotice.Refusal) {
        refusals.add(refusal)
        guard !isReportingRefusals, let wait = refusals.waitSeconds(nowSeconds: nowSeconds) else {
            return
        }
        isReportingRefusals = true
        loop.assumeIsolated().scheduleTask(in: .microseconds(Int64(wait * 1e6) + 1000)) {
            [weak self] in self?.reportRefusals()
        }
    }

    private func reportRefusals() {
        isReportingRefusals = false
        for notice in refusals.due(nowSeconds: nowSeconds) { notify(notice) }
    }
}
