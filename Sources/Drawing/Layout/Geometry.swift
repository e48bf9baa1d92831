/// A place on the sheet, in pixels from its upper left corner.
package struct Point: Sendable, Equatable {
    package var x: Double
    package var y: Double

    package init(_ x: Double, _ y: Double) {
        self.x = x
        self.y = y
    }
}

/// A rectangle along the axes, in pixels.
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

    /// Whether the two share any area.
    package func overlaps(_ other: Frame) -> Bool {
        left < other.right && other.left < right && top < other.bottom && other.top < bottom
    }

    /// Whether the point lies inside, not on the border.
    package func contains(_ point: Point) -> Bool {
        left < point.x && point.x < right && top < point.y && point.y < bottom
    }
}

/// The way of a wire: from its start through each point.
package struct Route: Sendable, Equatable {
    package var start: Point
    package var steps: [Step]

    /// One piece of a way.
    package enum Step: Sendable, Equatable {
        case line(to: Point)
        /// A curve that leaves and arrives level, with both its handles half-way across.
        case swing(to: Point)
    }

    /// Where it ends.
    package var end: Point {
        switch steps.last {
        case .line(let end), .swing(let end): end
        case nil: start
        }
    }
}
