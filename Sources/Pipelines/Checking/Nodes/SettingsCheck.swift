internal import Glibc
internal import Processing

/// Checks the settings that a file gives to a node.
struct SettingsCheck {
    let context: CheckContext

    /// The node's settings; those that are wrong are told and left out.
    func settings(of node: NodeDraft) -> [String: SettingValue] {
        guard let description = node.description else { return [:] }
        let members = context.fields(of: node.element).map("settings").value ?? []
        var settings: [String: SettingValue] = [:]
        for member in members where !context.faults.isFaulty(keyOf: member) {
            guard let setting = description.settings[member.key] else {
                context.reportUnknown(
                    "setting", member, among: description.settings.keys.sorted(), of: node)
                continue
            }
            guard
                let value = ValueCheck(context: context).value(member.value, of: setting),
                isPermitted(value, setting, at: member.value, of: node)
            else { continue }
            settings[member.key] = placed(value, setting)
            if case .plugin? = node.type, setting.kind == .path {
                checkFile(settings[member.key]?.text, of: setting, at: member.value)
            }
        }
        checkRequired(description.description.requiredSettings, members, of: node)
        return settings
    }

    /// What the settings of an effect lead to; nil where that is wrong, which is told.
    func facts(of node: NodeDraft, _ settings: [String: SettingValue]) -> SettingFacts? {
        guard case .effect(let name)? = node.type,
            !context.faults.hasFault(within: node.element["settings"] ?? node.element)
        else { return nil }
        switch context.types.facts(ofEffect: name, settings) {
        case .success(let facts): return facts
        case .failure(let fault):
            let setting = node.element["settings"]?[fault.setting]
            let item = fault.item.flatMap { place in
                setting?.elements.indices.contains(place) == true ? setting?.elements[place] : nil
            }
            context.faults.report(
                fault.kind == .file ? .file : .range,
                at: (item ?? setting ?? node.element["settings"] ?? node.element).start,
                fault.message)
            return nil
        }
    }

    /// Tells where not exactly one of some settings is given.
    private func checkRequired(_ names: [String], _ members: [JSONMember], of node: NodeDraft) {
        let given = members.filter { names.contains($0.key) }
        let settings = node.element["settings"]
        guard !names.isEmpty, given.count != 1, settings.map(context.faults.isFaulty) != true
        else { return }
        let wanted = Quantity.alternatives(names.map { Quoted($0).description })
        let label = Quoted(node.description?.description.label ?? "")
        if let second = given.dropFirst().first {
            context.faults.report(
                .reference, at: second.start, "\(label) takes only one of \(wanted)")
        } else {
            context.faults.report(
                .missingKey, at: (settings ?? node.element).start,
                "\(label) needs the setting \(wanted)")
        }
    }

    // MARK: Paths

    /// What a plugin is given to load must be there: it would only go silent.
    private func checkFile(
        _ path: String?, of setting: SettingDescription, at element: JSONElement
    ) {
        guard let path, access(path, R_OK) != 0 else { return }
        context.faults.report(
            .file, at: element.start,
            "\(Quoted(setting.name)) names no file that can be read: \(path)")
    }

    /// Whether an effect may use what a setting names; where not, that is told.
    private func isPermitted(
        _ value: SettingValue, _ setting: SettingDescription, at element: JSONElement,
        of node: NodeDraft
    ) -> Bool {
        guard case .effect? = node.type else { return true }
        if setting.kind == .url, !context.types.permissions.network {
            context.faults.report(
                .file, at: element.start,
                "\(Quoted(setting.name)) is on the network, which only --allow-network permits")
            return false
        }
        guard !context.types.permissions.outsideFolder,
            let path = paths(value, setting).first(where: { !isInside($0, setting) })
        else { return true }
        context.faults.report(
            .file, at: element.start,
            "\(Quoted(path)) is outside the pipeline's folder, which only --allow-outside permits")
        return false
    }

    private func isInside(_ path: String, _ setting: SettingDescription) -> Bool {
        FilePath.isInside(path, folder: FilePath.folder(of: context.file))
    }

    private func paths(_ value: SettingValue, _ setting: SettingDescription) -> [String] {
        switch setting.kind {
        case .path, .newPath: value.text.map { [$0] } ?? []
        case .playlist: value.playlist?.map(\.path) ?? []
        default: []
        }
    }

    /// A path is relative to the pipeline file, or to where takes go; from here on it is one for the program.
    private func placed(_ value: SettingValue, _ setting: SettingDescription) -> SettingValue {
        switch (setting.kind, value) {
        case (.path, .text(let path)):
            return .text(FilePath.resolve(path, besideFile: context.file))
        case (.newPath, .text(let path)):
            guard !path.hasPrefix("/") else { return value }
            let folder = context.types.permissions.takesFolder.map { $0 + "/" }
            // Only what the file says stands for a time.
            return .text(
                (folder ?? FilePath.folder(of: context.file)).split(
                    separator: "%", omittingEmptySubsequences: false
                ).joined(separator: "%%") + path)
        case (.playlist, .playlist(let items)):
            return .playlist(
                items.map {
                    PlaylistItem(
                        path: FilePath.resolve($0.path, besideFile: context.file), gain: $0.gain)
                })
        default: return value
        }
    }
}

extension CheckContext {
    /// Tells that a node has no parameter or setting of a name.
    func reportUnknown(
        _ kind: String, _ member: JSONMember, among names: [String], of node: NodeDraft
    ) {
        let label = node.description?.description.label ?? ""
        faults.report(
            .unknownKey, at: member.start,
            "\(Quoted(label)) has no \(kind) \(Quoted(member.key))",
            suggestion: faults.suggestion(for: member.key, among: names))
    }
}
