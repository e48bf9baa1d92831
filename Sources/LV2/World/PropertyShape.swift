/// A property of a plugin: a value that messages carry instead of a port (LV2's patch extension).
struct PropertyShape {
    var uri: String
    /// The name in files, as a parameter, setting or report.
    var name: String
    var type: ValueType
    /// Whether the plugin accepts the value; then a number is a parameter, and a text is a setting.
    var isWritable: Bool
    /// Whether the plugin reports the value; then a number is a report.
    var isReadable: Bool

    /// The types of values, named after the atoms that carry them.
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
