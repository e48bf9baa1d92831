internal import Pipelines

extension FuzzTarget {
    /// The editor of file texts, which writes a learned MIDI control into any JSON object.
    ///
    /// The first eight bytes select the control and the address; the rest is the file.
    static let textEdit = FuzzTarget(
        name: "text-edit",
        run: { bytes in
            var source = ByteSource(bytes)
            let control = LearnedTrigger(&source)
            let address = source.pick(["a.gain", "b.mix", "", "\"\\\u{1F3B8}.\n"])
            guard let old = try? PipelineText(source.remaining()),
                let new = try? old.adding(control, to: address)
            else { return }
            guard let again = try? PipelineText(new.bytes) else {
                fatalError("the edited text is no JSON object any more")
            }
            guard let twice = try? again.adding(control, to: address) else {
                fatalError("the edited text cannot be edited again")
            }
            require(twice.bytes == new.bytes, "the same edit changes the text twice")
        },
        seeds: {
            let texts = [
                "{}", "{\"midi\":[]}",
                "{ \"version\": 1,\n  \"midi\": [\n  { \"cc\": 1, \"to\": \"a.gain\" }\n]\n}\n",
                "{\"midi\":[{\"note\":3,\"to\":\"b.mix\",\"mode\":\"momentary\"},{}]}",
                "{\"midi\":3}",
            ]
            return texts.map { [0, 1, 2, 3, 4, 5, 6, 0] + Array($0.utf8) }
        })
}

extension LearnedTrigger {
    fileprivate init(_ source: inout ByteSource) {
        let number = source.below(128)
        let trigger: Pipeline.Binding.Trigger =
            switch source.below(3) {
            case 0: .controller(number)
            case 1: .note(number)
            default: .program(number)
            }
        self.init(
            trigger: trigger, channel: source.isTrue() ? 1 + source.below(16) : nil,
            port: source.pick([nil, "keys", "\"\\"]), isFine: source.isTrue(),
            bank: source.isTrue() ? Int(source.word(2)) & 16_383 : nil)
    }
}
