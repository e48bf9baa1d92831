/// Assigns each box to a column, so that all links lead from left to right.
struct Layering {
    /// The column of each box, from 0.
    private(set) var columns: [Int]
    private let request: LayoutRequest

    /// Assigns columns by the longest path from the left; links must not form loops.
    init(of request: LayoutRequest) {
        self.request = request
        columns = Array(repeating: 0, count: request.boxes.count)
        pushRight()
        pinLast()
        pullSources()
    }

    /// Moves destinations right until every link leads right; terminates for every graph without
    /// loops.
    private mutating func pushRight() {
        for (index, box) in request.boxes.enumerated() where box.pin != .first {
            columns[index] = request.boxes.contains { $0.pin == .first } ? 1 : 0
        }
        for _ in request.boxes.indices {
            var moved = false
            for link in request.links where columns[link.destination] <= columns[link.source] {
                columns[link.destination] = columns[link.source] + 1
                moved = true
            }
            if !moved { return }
        }
    }

    private mutating func pinLast() {
        let free = request.boxes.indices.filter { request.boxes[$0].pin != .last }
        let last = (free.map { columns[$0] }.max() ?? -1) + 1
        for (index, box) in request.boxes.enumerated() where box.pin == .last {
            columns[index] = last
        }
    }

    /// Moves boxes without incoming links next to the boxes that they feed.
    private mutating func pullSources() {
        for (index, box) in request.boxes.enumerated() where box.pin == .free {
            guard !request.links.contains(where: { $0.destination == index }) else { continue }
            let fed = request.links.filter { $0.source == index }.map { columns[$0.destination] }
            if let nearest = fed.min() { columns[index] = nearest - 1 }
        }
    }
}
