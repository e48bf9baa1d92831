import Glibc

/// Creates a folder next to the build products of the plugins.
func scratchFolder() throws -> String {
    var template = Array("\(bundleFolder)/../../.build/plugins/test.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure(reason: "There is no scratch folder.") }
    return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
}

func writeFile(_ path: String, _ bytes: [UInt8]) throws {
    guard let file = fopen(path, "wb") else { throw Failure(reason: "\(path) cannot be written.") }
    defer { fclose(file) }
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count else {
        throw Failure(reason: "\(path) cannot be written.")
    }
}

func readFile(_ path: String) throws -> [UInt8] {
    guard let file = fopen(path, "rb") else { throw Failure(reason: "\(path) cannot be read.") }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while case let byte = fgetc(file), byte != EOF { bytes.append(UInt8(byte)) }
    return bytes
}

/// Returns the standard output of a program that finds the project's plugins in the LV2 path.
func output(of arguments: [String]) throws -> String {
    let result = try scratchFolder() + "/standard-output"
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, result, O_WRONLY | O_CREAT, 0o600)
    var argv = arguments.map { strdup($0) } + [nil]
    var environment = [
        strdup("LV2_PATH=\(bundleFolder)/.."), strdup("PATH=/usr/bin:/bin"), nil,
    ]
    defer { (argv + environment).forEach { free($0) } }
    var child = pid_t()
    var status: Int32 = 0
    guard posix_spawnp(&child, arguments[0], &actions, nil, &argv, &environment) == 0,
        waitpid(child, &status, 0) == child, status == 0
    else { throw Failure(reason: "\(arguments[0]) failed with status \(status).") }
    return try String(decoding: readFile(result), as: UTF8.self)
}
