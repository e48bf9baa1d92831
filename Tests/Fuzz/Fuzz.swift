internal import CLibFuzzer
internal import Glibc

/// The fuzzing program.
///
/// Usage: `fuzz TARGET [libFuzzer options] [folders or files]`, `fuzz --list`, `fuzz --explain
/// TARGET FILE…` and `fuzz --seeds TARGET FOLDER`.
@main
struct Fuzz {
    /// libFuzzer restarts this program for some of its work, with only its own arguments.
    private static let variable = "STOMPLINE_FUZZ_TARGET"
    /// The target, set once before the first input.
    nonisolated(unsafe) static var target = FuzzTarget.all[0]

    static func main() {
        var arguments = CommandLine.arguments
        switch arguments.dropFirst().first {
        case "--list":
            for target in FuzzTarget.all { print(target.name) }
            exit(0)
        case "--explain" where arguments.count > 3:
            explain(arguments[2], arguments.dropFirst(3))
        case "--seeds" where arguments.count == 4:
            writeSeeds(of: arguments[2], to: arguments[3])
        case let name? where !name.hasPrefix("-"):
            setenv(variable, name, 1)
            arguments.remove(at: 1)
        default: break
        }
        target = named(getenv(variable).map { String(cString: $0) } ?? "")
        run(arguments)
    }

    private static func named(_ name: String) -> FuzzTarget {
        if let found = FuzzTarget.all.first(where: { $0.name == name }) { return found }
        print("fuzz: there is no target \"\(name)\"; fuzz --list prints all targets")
        exit(64)
    }

    private static func run(_ arguments: [String]) {
        // libFuzzer keeps pointers into the arguments until the process exits.
        let words = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(
            capacity: arguments.count + 1)
        for (index, argument) in arguments.enumerated() { words[index] = strdup(argument) }
        words[arguments.count] = nil
        var count = Int32(arguments.count)
        var pointer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> = words
        exit(
            LLVMFuzzerRunDriver(&count, &pointer) { data, size in
                Fuzz.target.run(Array(UnsafeBufferPointer(start: data, count: size)))
                return 0
            })
    }

    /// Prints the meaning of inputs, for reports of findings.
    private static func explain(_ name: String, _ paths: ArraySlice<String>) -> Never {
        let target = named(name)
        for path in paths {
            print(target.explain(InputFile.bytes(path)).joined(separator: "\n"))
        }
        exit(0)
    }

    /// Writes the target's own initial inputs.
    private static func writeSeeds(of name: String, to folder: String) -> Never {
        for (index, seed) in named(name).seeds().enumerated() {
            InputFile.write(seed, to: "\(folder)/seed-\(index)")
        }
        exit(0)
    }
}

/// Creates each new input for libFuzzer, with the target's grammar or libFuzzer's own mutations.
@_cdecl("LLVMFuzzerCustomMutator")
public func fuzzMutate(
    _ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ maximumSize: Int, _ seed: UInt32
) -> Int {
    guard let mutate = Fuzz.target.mutate else { return LLVMFuzzerMutate(data, size, maximumSize) }
    let old = Array(UnsafeBufferPointer(start: data, count: size))
    let new = mutate(old, Dice(seed: UInt64(seed)))
    guard !new.isEmpty, new.count <= maximumSize else {
        return LLVMFuzzerMutate(data, size, maximumSize)
    }
    data.update(from: new, count: new.count)
    return new.count
}
