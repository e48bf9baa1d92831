/// The parameters of an effect, as an enum: the raw value of a case is the parameter's index in the
/// effect's description.
///
/// The description, the kernel and the plugin bundle all use this enum, so that no index is written
/// twice.
public protocol EffectParameter: RawRepresentable, CaseIterable, Sendable
where RawValue == Int32 {}
