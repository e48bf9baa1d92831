/// The URIDs for messages about properties.
struct PatchTerms {
    let object = URIDTable.map(Namespace.atom("Object"))
    /// The type that older plugins use for objects.
    let blank = URIDTable.map(Namespace.atom("Blank"))
    let resource = URIDTable.map(Namespace.atom("Resource"))
    let urid = URIDTable.map(Namespace.atom("URID"))
    let float = URIDTable.map(Namespace.atom("Float"))
    let double = URIDTable.map(Namespace.atom("Double"))
    let int = URIDTable.map(Namespace.atom("Int"))
    let long = URIDTable.map(Namespace.atom("Long"))
    let bool = URIDTable.map(Namespace.atom("Bool"))
    let set = URIDTable.map(Namespace.patch("Set"))
    let get = URIDTable.map(Namespace.patch("Get"))
    let property = URIDTable.map(Namespace.patch("property"))
    let value = URIDTable.map(Namespace.patch("value"))
}
