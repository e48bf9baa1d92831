@testable internal import Control

extension FuzzTarget {
    /// A pattern with wildcards and a path, separated by the first zero byte.
    static let oscPattern = FuzzTarget(
        name: "osc-pattern",
        run: { bytes in
            let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
            let text = String(decoding: parts[0], as: UTF8.self)
            let path = parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : "/level/gain"
            let address = OSCAddress.address(of: path)
            let written = OSCAddress.path(of: address)
            require(OSCAddress.address(of: written) == address, "\(address) is not found again")
            _ = OSCAddress.path(typed: text)
            guard let pattern = OSCPattern(text) else { return }
            if pattern.matches(path) { require(pattern.covers(path), "\(text) covers not \(path)") }
            if !OSCPattern.hasWildcards(text) {
                require(pattern.matches(text), "\(text) does not match itself")
            }
            _ = try? Subscription([.text(text), .double(1e300), .float(-0.0)], nowSeconds: 0)
        },
        seeds: {
            [
                "/*\0/level", "/*/gain\0/level/gain", "/[a-z]*\0/echo", "/[!a-c]?\0/de",
                "/{one,two,}x\0/twox", "/a*b*c*d\0/abcabcabcd", "/level\0/a%20b", "/[z-a]\0/b",
            ].map { Array($0.utf8) }
        })
}
