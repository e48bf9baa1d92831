import Testing

/// All tests that share the JACK server, one after the other.
@Suite(.serialized) struct JackTests {}
