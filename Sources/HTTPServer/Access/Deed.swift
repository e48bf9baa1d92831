internal import SessionCore

/// What a request does, as far as a role allows or forbids it.
enum Deed: Equatable {
    /// Reads a file of the page; everybody may.
    case open
    /// Exchanges a code for a key; everybody may try.
    case pair
    /// Reads the session.
    case look
    /// Renames or removes the device that asks.
    case own
    /// Changes the value of an address.
    case set(String)
    /// Performs an action.
    case act
    /// Presses a computer key to which the song has a binding.
    case key(String)
    /// Connects or disconnects ports.
    case connect
    /// Edits or sends a file, or saves a preset.
    case edit

    /// Creates the deed of a request over HTTP.
    ///
    /// - Parameters:
    ///   - route: The task that the path names.
    ///   - method: The method.
    init(_ route: Route, _ method: String) {
        let isReading = method == "GET" || method == "HEAD"
        switch route {
        case .file: self = .open
        case .pair: self = .pair
        case .access: self = isReading ? .look : .own
        case .values, .reports, .pipeline, .playedFiles, .references, .library, .templates,
            .template, .presets, .palette, .paletteType, .drawing, .ports, .state, .metrics, .live,
            .unknown, .malformed:
            self = .look
        case .value(let address): self = isReading ? .look : Deed(setting: address)
        case .action(let name): self = Deed(setting: name)
        case .key(let name): self = .key(name)
        case .connections: self = isReading ? .look : .connect
        case .playedFile: self = isReading ? .look : .edit
        case .libraryFile, .preset: self = .edit
        }
    }

    /// Creates the deed of a request of a page.
    init(_ task: PageRequest.Task) {
        switch task {
        case .set(let request, _, _), .stage(let request, _), .ask(let request):
            self = Deed(request)
        case .snapshot, .watch, .ping, .invalid: self = .look
        }
    }

    /// Creates the deed of a request to the session.
    init(_ request: SessionRequest) {
        switch request {
        case .set(let address, _), .fade(let address, _, _): self = Deed(setting: address)
        case .perform(let command): self = command.editsFile ? .edit : .act
        case .pressKey(let name): self = .key(name)
        case .get, .dump, .reports, .describe, .readFile, .measureLevels, .measureSpectra,
            .ports(.list):
            self = .look
        case .ports(.connect), .ports(.disconnect): self = .connect
        case .edit: self = .edit
        }
    }

    /// Creates the deed of a new value of an address, which can be an action.
    private init(setting address: String) {
        if let command = SessionCommand(rawValue: address) {
            self = command.editsFile ? .edit : .act
        } else {
            // A learned control becomes a binding in the file.
            self = address == "learn" ? .edit : .set(address)
        }
    }
}
