/// Reads the values of an object whose structure has been checked.
struct Fields {
    let element: JSONElement
    let errors: ErrorList

    /// A value that can be absent or known to be wrong.
    enum Field<Value> {
        case absent
        /// The value is wrong, which has already been reported.
        case invalid
        case present(Value, JSONElement)

        /// The value if it is present and valid.
        var value: Value? { if case .present(let value, _) = self { value } else { nil } }
        var isInvalid: Bool { if case .invalid = self { true } else { false } }
        var isAbsent: Bool { if case .absent = self { true } else { false } }
    }

    func text(_ key: String) -> Field<String> { read(key) { $0.string } }
    func toggle(_ key: String) -> Field<Bool> { read(key) { $0.bool } }
    func number(_ key: String) -> Field<Double> { read(key) { $0.number } }
    func whole(_ key: String) -> Field<Int> { read(key) { $0.number.flatMap(Int.init(exactly:)) } }
    func list(_ key: String) -> Field<[JSONElement]> { read(key) { $0.elements } }
    func map(_ key: String) -> Field<[JSONMember]> { read(key) { $0.members } }
    func raw(_ key: String) -> Field<JSONElement> { read(key) { $0 } }

    private func read<Value>(_ key: String, _ value: (JSONElement) -> Value?) -> Field<Value> {
        guard let element = element[key] else { return .absent }
        guard !errors.isInvalid(element), let value = value(element) else { return .invalid }
        return .present(value, element)
    }

    /// Returns the offset for a diagnostic about a key: of its value, or else of the object.
    func offset(of key: String) -> Int { element[key]?.start ?? element.start }
}
