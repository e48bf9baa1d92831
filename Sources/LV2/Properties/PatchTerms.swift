/// The numbers of the URIs that messages about properties are made of.
struct PatchTerms {
    let sequence = URIDTable.map(Namespace.atom("Sequence"))
    let object = URIDTable.map(Namespace.atom("Object"))
    /// What older plugins call an object.
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
