/// The texts of a setlist about the current song, for displays: the addresses `notes` and `color`.
///
/// They can only be read. A setlist without notes has no address `notes`, and one without colors no
/// address `color`.
struct SongDisplay {
    /// The addresses with the values of the current song.
    let entries: [AddressValue]

    /// Reads the current song of a list.
    init(of list: SongList) {
        var entries: [AddressValue] = []
        if list.songs.contains(where: { !$0.notes.isEmpty }) {
            entries.append(AddressValue(ReadOnlyAddress.notes.rawValue, .text(list.current.notes)))
        }
        if list.songs.contains(where: { !$0.color.isEmpty }) {
            entries.append(AddressValue(ReadOnlyAddress.color.rawValue, .text(list.current.color)))
        }
        self.entries = entries
    }
}
