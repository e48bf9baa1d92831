/// The sound cards of a machine.
package struct SoundCards {
    /// The names, such as `Scarlett 2i2 USB`, in the order of their numbers.
    package let names: [String]

    package init(of machine: Machine) { names = Card.all(on: machine).map(\.name) }
}
