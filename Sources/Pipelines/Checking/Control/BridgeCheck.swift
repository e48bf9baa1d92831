/// Checks the bridges of a file, without starting them.
struct BridgeCheck {
    let context: CheckContext

    /// The port of each program if the file states none.
    private static let netManagerPort = 19_000
    private static let zitaPort = 30_042

    /// Returns the bridges of the file that have no error.
    func bridges() -> [Bridge] {
        let elements = context.fields(of: context.document.root).list("bridges").value ?? []
        let found = elements.compactMap { element in bridge(element).map { (element, $0) } }
        reportRepeats(found)
        return found.map(\.1)
    }

    private func bridge(_ element: JSONElement) -> Bridge? {
        guard case .object = element.content else { return nil }
        let fields = context.fields(of: element)
        guard let name = fields.text("program").value,
            let program = Bridge.Program(rawValue: name)
        else { return nil }
        checkKeys(of: program, fields, element)
        let standardPort = program == .netManager ? Self.netManagerPort : Self.zitaPort
        var bridge = Bridge(
            program: program, port: fields.whole("port").value ?? standardPort,
            channels: fields.whole("channels").value ?? 2)
        bridge.name = fields.text("name").value
        bridge.host = host(fields)
        bridge.bufferMilliseconds = fields.number("buffer").value
        return bridge
    }

    /// Returns the host; reports a text that a program could read as an option.
    private func host(_ fields: Fields) -> String? {
        guard case .present(let host, let element) = fields.text("host") else { return nil }
        guard host.hasPrefix("-") || host.contains(where: \.isWhitespace) else { return host }
        context.errors.report(
            .range, at: element.start,
            "\"host\" must be the name or the address of a machine, not \(Quoted(host))")
        return nil
    }

    /// Reports keys that the program does not have, and a missing host.
    private func checkKeys(
        of program: Bridge.Program, _ fields: Fields, _ element: JSONElement
    ) {
        if program == .zitaSender, fields.text("host").isAbsent {
            context.errors.report(
                .missingKey, at: element.start,
                "a bridge with the program \"zita-j2n\" needs the key \"host\", the machine that receives"
            )
        }
        let foreign =
            switch program {
            case .zitaSender: ["buffer"]
            case .zitaReceiver: [String]()
            case .netManager: ["host", "channels", "buffer"]
            }
        for key in foreign {
            guard case .present(_, let value) = fields.raw(key) else { continue }
            context.errors.report(
                .unknownKey, at: value.start,
                "\(Quoted(key)) is not a key of a bridge with the program \(Quoted(program.rawValue))"
            )
        }
    }

    /// Reports bridges that would listen at the port or have the name of another one.
    private func reportRepeats(_ bridges: [(JSONElement, Bridge)]) {
        var ports: Set<Int> = []
        var names: Set<String> = []
        for (element, bridge) in bridges {
            if bridge.program != .zitaSender, !ports.insert(bridge.port).inserted {
                context.errors.report(
                    .range, at: (element["port"] ?? element).start,
                    "another bridge already listens at the port \(bridge.port)")
            }
            // JACK would rename one of them, and rules would connect the wrong one.
            if !names.insert(bridge.clientName).inserted {
                context.errors.report(
                    .duplicateID, at: (element["name"] ?? element).start,
                    "another bridge already has the name \(Quoted(bridge.clientName)); "
                        + "give each its own \"name\"")
            }
        }
    }
}
