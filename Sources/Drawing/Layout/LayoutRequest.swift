/// The input of a layout: boxes of known size, and the links between them.
package struct LayoutRequest: Sendable {
    package var boxes: [Box]
    package var links: [Link]

    /// A box with its sockets.
    package struct Box: Sendable {
        package var width: Double
        package var height: Double
        /// The distance of each inlet below the upper edge.
        package var inletOffsets: [Double]
        /// The distance of the outlet below the upper edge.
        package var outletOffset: Double
        package var pin: Pin

        package init(
            width: Double, height: Double, inletOffsets: [Double], outletOffset: Double,
            pin: Pin = .free
        ) {
            self.width = width
            self.height = height
            self.inletOffsets = inletOffsets
            self.outletOffset = outletOffset
            self.pin = pin
        }
    }

    /// Whether a box must be in the first or the last column.
    package enum Pin: Sendable { case free, first, last }

    /// A wire from a box's outlet to an inlet.
    package struct Link: Sendable {
        package var source: Int
        package var destination: Int
        package var inlet: Int
        /// The width reserved for a label directly before the inlet.
        package var labelWidth: Double

        package init(source: Int, destination: Int, inlet: Int, labelWidth: Double) {
            self.source = source
            self.destination = destination
            self.inlet = inlet
            self.labelWidth = labelWidth
        }
    }

    package init(boxes: [Box], links: [Link]) {
        self.boxes = boxes
        self.links = links
    }
}
