/// A point on the sheet, in pixels from its upper left corner.
package struct Point: Sendable, Equatable {
    package var x: Double
    package var y: Double

    package init(_ x: Double, _ y: Double) {
        self.x = x
        self.y = y
    }
}

/// An axis-aligned rectangle, in pixels.
package struct Frame: Sendable, Equatable {
    package var left: Double
    package var top: Double
    package var width: Double
    package var height: Double

    package init(left: Double, top: Double, width: Double, height: Double) {
        self.left = left
        self.top = top
        self.width = width
        self.height = height
    }

    package var right: Double { left + width }
    package var bottom: Double { top + height }

    /// Returns whether the two rectangles share any area.
    package func overlaps(_ other: Frame) -> Bool {
        left < other.right && other.left < right && top < other.bottom && other.top < bottom
    }

    /// Returns whether the point is inside, not on the border.
    package func contains(_ point: Point) -> Bool {
        left < point.x && point.x < right && top < point.y && point.y < bottom
    }
}

/// The path of a wire: from its start through each point.
package struct Route: Sendable, Equatable {
    package var start: Point
    package var steps: [Step]

    /// One part of a path.
    package enum Step: Sendable, Equatable {
        case line(to: Point)
        /// A curve that starts and ends horizontally, with both control points at half the width.
        case swing(to: Point)
    }

    /// The end of the path.
    package var end: Point {
        switch steps.last {
        case .line(let end), .swing(let end): end
        case nil: start
        }
    }
}
