/// A parameter that describes itself to the authors of pipeline files.
public protocol DescribedParameter: EffectParameter {
    /// The parameter's entry in the effect's description.
    var description: ParameterDescription { get }
}

extension DescribedParameter {
    /// The descriptions of all parameters, in the order of their indices.
    public static var descriptions: [ParameterDescription] { allCases.map(\.description) }
}

extension ProcessorRequest {
    /// The value of a parameter at the start.
    public subscript(parameter: some EffectParameter) -> Float {
        parameters[Int(parameter.rawValue)]
    }
}
