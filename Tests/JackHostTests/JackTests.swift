import Testing

/// All tests that share the JACK server; they run one at a time.
@Suite(.serialized) struct JackTests {}
