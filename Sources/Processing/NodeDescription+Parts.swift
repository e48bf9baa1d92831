/// The parts of a `NodeDescription`.
extension NodeDescription {
    struct Parts: Sendable, Equatable {
        var name: String
        var label: String
        var summary: String
        var channels: ChannelRule
        var parameters: [ParameterDescription]
        var stripParameters: [ParameterDescription]
        var settings: [SettingDescription]
        var requiredSettings: [String]
        var reports: [ReportDescription]
        var textReports: [ReportDescription]
        var receivesEvents: Bool
        var sendsEvents: Bool
        var missingFeatures: [String]
        var category: String
        var hasEnd: Bool
        var keepsSound: Bool
    }
}
