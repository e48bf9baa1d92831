/// A resource of the server; the raw value is its path, with placeholders in capitals.
package enum Resource: String, CaseIterable, Sendable {
    case values = "/api/values"
    case value = "/api/values/ADDRESS"
    case reports = "/api/reports"
    case action = "/api/actions/ACTION"
    case key = "/api/keys/KEY"
    case pipeline = "/api/pipeline"
    case playedFiles = "/api/files"
    case playedFile = "/api/files/NUMBER"
    case references = "/api/files/NUMBER/references"
    case library = "/api/library/NUMBER"
    case libraryFile = "/api/library/NUMBER/PATH"
    case templates = "/api/templates"
    case template = "/api/templates/NAME"
    case presets = "/api/nodes/NODE/presets"
    case preset = "/api/nodes/NODE/presets/LABEL"
    case palette = "/api/palette"
    case paletteType = "/api/palette/TYPE"
    case drawing = "/api/drawing"
    case ports = "/api/ports"
    case connections = "/api/connections"
    case state = "/api/state"
    case live = "/api/live"
    case access = "/api/access"
    case pair = "/api/pair"
    case metrics = "/metrics"
    case file = "/PATH"

    /// The task of the path, as the server reads it.
    package var route: Route { Route(rawValue) }
}

extension Route {
    /// The resource; `nil` if there is none at the path.
    package var resource: Resource? {
        switch self {
        case .file: .file
        case .values: .values
        case .value: .value
        case .reports: .reports
        case .action: .action
        case .key: .key
        case .pipeline: .pipeline
        case .playedFiles: .playedFiles
        case .playedFile: .playedFile
        case .library: .library
        case .libraryFile: .libraryFile
        case .templates: .templates
        case .template: .template
        case .presets: .presets
        case .preset: .preset
        case .references: .references
        case .palette: .palette
        case .paletteType: .paletteType
        case .drawing: .drawing
        case .ports: .ports
        case .connections: .connections
        case .state: .state
        case .metrics: .metrics
        case .access: .access
        case .pair: .pair
        case .live: .live
        case .unknown, .malformed: nil
        }
    }
}
