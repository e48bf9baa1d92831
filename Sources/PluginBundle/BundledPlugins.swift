public import Processing

extension BundleDescription {
    /// The bundle that the project ships, whose plugins are those of the effects of this list.
    ///
    /// A setting is fixed while a plugin lives, so each of its values is a plugin of its own.
    public init(of effects: [Effect]) {
        self.init(
            effects.filter { $0.description.name == "frequency-shift" }.flatMap { effect in
                [
                    BundledPlugin(uri: "urn:stompline:frequency-shift", effect.description),
                    BundledPlugin(
                        uri: "urn:stompline:frequency-shift-fold", variant: "folding",
                        effect.description),
                ]
            })
    }
}
