internal import Glibc
internal import Processing

/// Checks the settings of a node in the file.
struct SettingsCheck {
    let context: CheckContext

    /// Returns the valid settings of a node, and reports the others.
    func settings(of node: NodeDraft) -> [String: SettingValue] {
        guard let description = node.description else { return [:] }
        let members = context.fields(of: node.element).map("settings").value ?? []
        var settings: [String: SettingValue] = [:]
        for member in members where !context.errors.isInvalid(keyOf: member) {
            guard let setting = description.settings[member.key] else {
                context.reportUnknown(
                    "setting", member, among: description.settings.keys.sorted(), of: node)
                continue
            }
            settings[member.key] = value(member.value, of: setting, ofNode: node)
        }
        checkRequired(description.description.requiredSettings, members, of: node)
        return settings
    }

    /// Returns the value of a setting, with a path that the node can open; `nil` if it is not
    /// valid, which is reported.
    func value(
        _ element: JSONElement, of setting: SettingDescription, ofNode node: NodeDraft
    ) -> SettingValue? {
        guard let value = ValueCheck(context: context).value(element, of: setting),
            isPermitted(value, setting, at: element, of: node)
        else { return nil }
        let placed = placed(value, setting)
        if case .plugin? = node.type, setting.kind == .path {
            checkFile(placed.text, of: setting, at: element)
        }
        return placed
    }

    /// Returns the facts that follow from an effect's settings; `nil` if they are not valid.
    ///
    /// Reports settings that are not valid.
    func facts(of node: NodeDraft, _ settings: [String: SettingValue]) -> SettingFacts? {
        guard case .effect(let name)? = node.type,
            !context.errors.hasError(within: node.element["settings"] ?? node.element)
        else { return nil }
        switch context.types.facts(ofEffect: name, settings) {
        case .success(let facts): return facts
        case .failure(let error):
            let setting = node.element["settings"]?[error.setting]
            let item = error.item.flatMap { index in
                setting?.elements.indices.contains(index) == true ? setting?.elements[index] : nil
            }
            context.errors.report(
                error.kind == .file ? .file : .range,
                at: (item ?? setting ?? node.element["settings"] ?? node.element).start,
                error.message)
            return nil
        }
    }

    /// Reports a node that does not have exactly one of some required settings.
    private func checkRequired(_ names: [String], _ members: [JSONMember], of node: NodeDraft) {
        let given = members.filter { names.contains($0.key) }
        let settings = node.element["settings"]
        guard !names.isEmpty, given.count != 1, settings.map(context.errors.isInvalid) != true
        else { return }
        let wanted = Quantity.alternatives(names.map { Quoted($0).description })
        let label = Quoted(node.description?.description.label ?? "")
        if let second = given.dropFirst().first {
            context.errors.report(
                .reference, at: second.start, "\(label) accepts only one of \(wanted)")
        } else {
            context.errors.report(
                .missingKey, at: (settings ?? node.element).start,
                "\(label) needs the setting \(wanted)")
        }
    }

    // MARK: Paths

    /// Checks that a file for a plugin is readable, because the plugin would only be silent.
    private func checkFile(
        _ path: String?, of setting: SettingDescription, at element: JSONElement
    ) {
        guard let path, access(path, R_OK) != 0 else { return }
        context.errors.report(
            .file, at: element.start,
            "\(Quoted(setting.name)) names a file that cannot be read: \(path)")
    }

    /// Returns whether an effect may use the path or the address in a setting; reports if not.
    private func isPermitted(
        _ value: SettingValue, _ setting: SettingDescription, at element: JSONElement,
        of node: NodeDraft
    ) -> Bool {
        guard case .effect? = node.type else { return true }
        if setting.kind == .url, !context.types.permissions.network {
            context.errors.report(
                .file, at: element.start,
                "\(Quoted(setting.name)) is a network address, which requires --allow-network")
            return false
        }
        if setting.kind == .url, !context.types.permissions.privateHosts,
            let host = value.text.flatMap({ HostAddress.host(inURL: $0) }),
            HostAddress.isPrivate(host: host)
        {
            context.errors.report(
                .file, at: element.start,
                "\(Quoted(host)) is this machine or in a private network, which requires --allow-private"
            )
            return false
        }
        guard !context.types.permissions.outsideFolder,
            let path = paths(value, setting).first(where: { !isInside($0, setting) })
        else { return true }
        context.errors.report(
            .file, at: element.start,
            "\(Quoted(path)) is outside the pipeline's folder, which requires --allow-outside")
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

    /// Resolves a path relative to the pipeline file or to the folder for takes.
    private func placed(_ value: SettingValue, _ setting: SettingDescription) -> SettingValue {
        switch (setting.kind, value) {
        case (.path, .text(let path)):
            return .text(FilePath.resolve(path, relativeToFile: context.file))
        case (.newPath, .text(let path)):
            guard !path.hasPrefix("/") else { return value }
            let folder = context.types.permissions.takesFolder.map { $0 + "/" }
            // Only the file's own text may contain time conversions, so escape the folder's `%`.
            return .text(
                (folder ?? FilePath.folder(of: context.file)).split(
                    separator: "%", omittingEmptySubsequences: false
                ).joined(separator: "%%") + path)
        case (.playlist, .playlist(let items)):
            return .playlist(
                items.map {
                    PlaylistItem(
                        path: FilePath.resolve($0.path, relativeToFile: context.file), gain: $0.gain
                    )
                })
        default: return value
        }
    }
}

extension CheckContext {
    /// Reports that a node has no parameter or setting with a name.
    func reportUnknown(
        _ kind: String, _ member: JSONMember, named name: String? = nil, among names: [String],
        of node: NodeDraft
    ) {
        let name = name ?? member.key
        let label = node.description?.description.label ?? ""
        errors.report(
            .unknownKey, at: member.start,
            "\(Quoted(label)) has no \(kind) \(Quoted(name))",
            suggestion: errors.suggestion(for: name, among: names))
    }
}
