import Drawing
import Testing

/// The sizes and seeds of the tested graphs.
private let graphs: [(nodes: Int, seed: UInt64)] = [
    (0, 1), (1, 2), (2, 3), (5, 4), (5, 5), (12, 6), (12, 7), (30, 8), (30, 9), (100, 10),
    (100, 11),
]

@Suite("The layout of any graph")
struct LayoutTests {
    @Test("keeps boxes apart", arguments: graphs)
    func boxesDoNotOverlap(nodes: Int, seed: UInt64) {
        let boxes = Sheet(showing: .random(nodes: nodes, seed: seed)).layout.boxes
        for (index, box) in boxes.enumerated() {
            #expect(box.width > 0 && box.height > 0)
            for other in boxes[..<index] { #expect(!box.overlaps(other)) }
        }
    }

    @Test("leads no wire through a box", arguments: graphs)
    func wiresAvoidBoxes(nodes: Int, seed: UInt64) {
        let layout = Sheet(showing: .random(nodes: nodes, seed: seed)).layout
        for route in layout.routes {
            for point in route.samples {
                #expect(!layout.boxes.contains { $0.contains(point) })
            }
        }
    }

    @Test("leads every wire from left to right", arguments: graphs)
    func wiresRunRight(nodes: Int, seed: UInt64) {
        let diagram = Diagram.random(nodes: nodes, seed: seed)
        let layout = Sheet(showing: diagram).layout
        for (wire, route) in zip(diagram.wires, layout.routes) {
            #expect(layout.boxes[wire.source].right <= layout.boxes[wire.destination].left)
            let steps = zip(route.samples, route.samples.dropFirst())
            #expect(steps.allSatisfy { $0.x <= $1.x })
        }
    }

    @Test("connects wires to outlets and inlets", arguments: graphs)
    func wiresMeetSockets(nodes: Int, seed: UInt64) {
        let diagram = Diagram.random(nodes: nodes, seed: seed)
        let layout = Sheet(showing: diagram).layout
        for (wire, route) in zip(diagram.wires, layout.routes) {
            let source = layout.boxes[wire.source]
            let destination = layout.boxes[wire.destination]
            #expect(route.start.x == source.right && route.end.x == destination.left)
            #expect((source.top...source.bottom).contains(route.start.y))
            #expect((destination.top...destination.bottom).contains(route.end.y))
        }
    }

    @Test("has inputs in the first column and outputs in the last", arguments: graphs)
    func jacksStandOutside(nodes: Int, seed: UInt64) {
        let diagram = Diagram.random(nodes: nodes, seed: seed)
        let boxes = Sheet(showing: diagram).layout.boxes
        for (card, box) in zip(diagram.cards, boxes) where card.isJack {
            #expect(card.kind == .input ? box.left == 0 : box.right == boxes.map(\.right).max())
        }
    }

    @Test("stays inside its reported size", arguments: graphs)
    func fitsItsSize(nodes: Int, seed: UInt64) {
        let layout = Sheet(showing: .random(nodes: nodes, seed: seed)).layout
        for point in layout.routes.flatMap(\.samples) {
            #expect((0...layout.width).contains(point.x))
            #expect((0...layout.height).contains(point.y))
        }
    }

    @Test("avoids unnecessary crossings")
    func untangles() {
        // a ─╲╱─ c        The links a→d and b→c cross as written,
        // b ─╱╲─ d        and do not cross after c and d have been swapped.
        let box = LayoutRequest.Box(width: 50, height: 40, inletOffsets: [20], outletOffset: 20)
        let request = LayoutRequest(
            boxes: [box, box, box, box],
            links: [
                .init(source: 0, destination: 3, inlet: 0, labelWidth: 0),
                .init(source: 1, destination: 2, inlet: 0, labelWidth: 0),
            ])
        let boxes = Layout(of: request).boxes
        #expect((boxes[0].top < boxes[1].top) == (boxes[3].top < boxes[2].top))
    }

    @Test("draws a chain as a straight line")
    func chainsAreStraight() {
        let cards = (0..<6).map { Card(.effect, name: "n\($0)", inlets: $0 == 0 ? [] : [.init()]) }
        let wires = (1..<6).map { Wire(from: $0 - 1, to: $0) }
        let layout = Sheet(showing: Diagram(title: "", cards: cards, wires: wires)).layout
        for route in layout.routes { #expect(abs(route.start.y - route.end.y) < 0.01) }
    }
}

extension Route {
    /// Points along the wire, close enough together to meet any box.
    fileprivate var samples: [Point] {
        var points = [start]
        for step in steps {
            let last = points[points.count - 1]
            for part in 1...32 { points.append(step.point(from: last, at: Double(part) / 32)) }
        }
        return points
    }
}

extension Route.Step {
    /// Returns the point at a fraction of the segment, according to SVG's curve definition.
    fileprivate func point(from start: Point, at part: Double) -> Point {
        switch self {
        case .line(let end):
            return Point(
                part == 1 ? end.x : start.x + (end.x - start.x) * part,
                part == 1 ? end.y : start.y + (end.y - start.y) * part)
        case .swing(let end):
            let middle = (start.x + end.x) / 2
            return part == 1
                ? end
                : Point(
                    cubic(start.x, middle, middle, end.x, part),
                    cubic(start.y, start.y, end.y, end.y, part))
        }
    }

    private func cubic(_ a: Double, _ b: Double, _ c: Double, _ d: Double, _ t: Double) -> Double {
        let s = 1 - t
        return s * s * s * a + 3 * s * s * t * b + 3 * s * t * t * c + t * t * t * d
    }
}
