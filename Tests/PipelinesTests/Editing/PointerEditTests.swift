internal import Pipelines
internal import Testing

@Suite("Replacing a value in a file's text")
struct PointerEditTests {
    private let text = #"{"a/b": {"~": [1, {"x": 2.50}]}, "e": {}}"#

    private func replacing(_ pointer: String, _ value: JSONValue) throws -> String {
        let changed = try PipelineText(Array(text.utf8)).replacing(pointer, with: value)
        return String(decoding: changed.bytes, as: UTF8.self)
    }

    @Test("the value at a pointer is replaced, or added")
    func values() throws {
        #expect(
            try replacing("/a~1b/~0/1/x", 0.5) == #"{"a/b": {"~": [1, {"x": 0.5}]}, "e": {}}"#)
        #expect(
            try replacing("/a~1b/~0/0", ["k": [true, "l\n"]])
                == #"{"a/b": {"~": [{"k": [true, "l\n"]}, {"x": 2.50}]}, "e": {}}"#)
        #expect(
            try replacing("/a~1b/~0/1/y", "z")
                == #"{"a/b": {"~": [1, {"x": 2.50, "y": "z"}]}, "e": {}}"#)
        #expect(
            try replacing("/e/~01", .null)
                == #"{"a/b": {"~": [1, {"x": 2.50}]}, "e": {"~1": null}}"#)
    }

    @Test(
        "a pointer that leads nowhere is an error",
        arguments: ["", "a", "/a~1b/~0/2", "/a~1b/~0/00", "/a~1b/~0/0/x", "/none/x", "/a~1b/~0/-"])
    func nowhere(pointer: String) {
        #expect(throws: EditError.self) { _ = try replacing(pointer, 1) }
    }
}
