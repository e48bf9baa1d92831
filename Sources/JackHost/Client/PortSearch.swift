internal import CJack
internal import Pipelines

extension JackClient {
    /// Returns the full names of all ports: `jack_get_ports`.
    func portNames() -> [String] { names(jack_get_ports(handle, nil, nil, 0)) }

    /// Returns the full names of all ports with a kind and direction.
    func portNames(_ kind: Pipeline.SignalKind, areInputs: Bool) -> [String] {
        let type = kind == .audio ? JACK_DEFAULT_AUDIO_TYPE : JACK_DEFAULT_MIDI_TYPE
        let direction = areInputs ? JackPortIsInput : JackPortIsOutput
        return names(jack_get_ports(handle, nil, "^\(type)$", UInt(direction.rawValue)))
    }
}
