/// A property of a plugin: a value that messages carry instead of a port (LV2's patch extension).
struct PropertyShape {
    var uri: String
    /// The name in files: of a parameter or a setting, and of a report.
    var name: String
    var type: ValueType
    /// Whether the plugin takes it; numbers are parameters then, texts settings.
    var isWritable: Bool
    /// Whether the plugin tells it; numbers are reports then.
    var isReadable: Bool

    /// What values it has, by the names of the atoms that carry them.
    enum ValueType: String {
        case float = "Float"
        case double = "Double"
        case int = "Int"
        case long = "Long"
        case bool = "Bool"
        case path = "Path"
        case string = "String"
        case uri = "URI"

        var isNumber: Bool {
            switch self {
            case .float, .double, .int, .long, .bool: true
            case .path, .string, .uri: false
            }
        }
    }

    var isParameter: Bool { isWritable && type.isNumber }
    var isSetting: Bool { isWritable && !type.isNumber }
    var isReport: Bool { isReadable && type.isNumber }
}
