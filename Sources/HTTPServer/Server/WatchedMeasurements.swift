internal import SessionCore

/// The measurements that pages watch now, and the requests for them to the session.
///
/// Only the server's thread uses it.
struct WatchedMeasurements {
    /// The levels per second while a page watches meters: three times the usual rate of 12, so that
    /// they are evenly spaced, and more than the most frames per second of a page.
    private static let levelsPerSecond = 36

    private let requests: SessionRequests
    /// Whether a page watches the levels of the ports.
    private(set) var includesMeters = false
    private var includesNodes = false
    /// The nodes whose spectra pages watch.
    private var spectra: Set<String> = []

    init(_ requests: SessionRequests) { self.requests = requests }

    /// Requests what pages watch from now on.
    mutating func follow(_ pages: some Collection<LivePage>, nowSeconds: Double) {
        let newSpectra = Set(pages.compactMap(\.watchedSpectrum))
        if newSpectra != spectra {
            spectra = newSpectra
            requestSpectra(nowSeconds)
        }
        let meters = pages.contains(where: \.watchesMeters)
        let nodes = pages.contains(where: \.watchesNodes)
        guard meters != includesMeters || nodes != includesNodes else { return }
        (includesMeters, includesNodes) = (meters, nodes)
        requestLevels(nowSeconds)
    }

    /// Requests the same measurements of another song.
    func requestAgain(nowSeconds: Double) {
        if includesMeters { requestLevels(nowSeconds) }
        if !spectra.isEmpty { requestSpectra(nowSeconds) }
    }

    private func requestLevels(_ nowSeconds: Double) {
        let rate = includesMeters ? Self.levelsPerSecond : 0
        _ = requests.send(
            .measureLevels(perSecond: rate, ofNodes: includesNodes), for: nil,
            nowSeconds: nowSeconds
        ) { _ in }
    }

    private func requestSpectra(_ nowSeconds: Double) {
        _ = requests.send(
            .measureSpectra(ofNodes: spectra.sorted()), for: nil, nowSeconds: nowSeconds
        ) { _ in }
    }
}
