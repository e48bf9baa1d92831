/// A part of the snapshot that is replaced as a whole; the raw value is its name.
enum StatePart: String, CaseIterable {
    case session, overview, pipeline, problems, connections, ports, status, meters, files, history
    case nodeMeters = "node_meters"
}
