import HTTPServer
import Testing

/// A code that another encoder (segno 1.6) has made: a text, a mask, the size, and after a 1 the
/// bits of all squares, row by row, as hexadecimal digits.
struct KnownQRCode: Sendable, CustomTestStringConvertible {
    let text: String
    let mask: Int
    let size: Int
    let digits: [String]

    var testDescription: String { "\(text.prefix(60)) with the mask \(mask)" }
}

@Suite struct QRCodeTests {
    private static let known: [KnownQRCode] = [
        KnownQRCode(
            text: "A", mask: 0, size: 21,
            digits: [
                "3fc37f82da0dd3576e92bb7575d82520ff55fc0100154912b97551d6b9663771446e500c",
                "237f344e0908975d55ba5555d5bb609775fdaef",
            ]),
        KnownQRCode(
            text: "stompline", mask: 5, size: 21,
            digits: [
                "3fc27f82aa0dd6576eb2bb74f5d826a0ff55fc03601059ce414c745d9198395fee8ab009",
                "cdff262a096bf74d11ba68c5d235e08819fd22a",
            ]),
        KnownQRCode(
            text: "http://10.0.0.7:8080/", mask: 2, size: 25,
            digits: [
                "3fc947f820120dd58976eab2bb754c5d82b920ff555fc02a0017c397c683a0171b0e2c74",
                "22034d6b77b48c4543f39ae63aa933411f400c18e7f1c57e0b46377563ffbaad3bdd7381",
                "609b373fdd63f",
            ]),
        KnownQRCode(
            text: "http://192.168.178.100:8080/#pair=123456", mask: 3, size: 29,
            digits: [
                "3fd54a7f82fe0a0dd1fc976eb77abb744275d823e120ff5555fc03c92016e10b4b41ba12",
                "8b588621817d84124df9dac2db93f187bd487e5160f44a575332315d2034d80d130a3492",
                "c8857b9fc00ccf8fff5e5d6a0b62e337496dffbaa3d0add6262060974765fdf95ba",
            ]),
        KnownQRCode(
            text: "https://[2001:db8:85a3::8a2e:370:7334]:8080/#pair=654321", mask: 4, size: 33,
            digits: [
                "3fd2a177f82361420dd1962976eaa224bb75a91f5d82a37420ff55555fc0349ba0117d7f",
                "ef9e8a101c6558b879206515bc831ea9edfa607649865d8882b5967777d906738ec5ac8c",
                "989a605ffc39a3757314419ceccceb9c42c9931b40459d8f6e93db1ad3bcbfa00950f8a7",
                "f6ca35620817d627756c4df9ba026e7a5d3be3bd2090f5a11fd28a9c9",
            ]),
        KnownQRCode(
            text: "https://stompline-on-the-stage.example.local:18080/#pair=000001 and more text",
            mask: 6, size: 37,
            digits: [
                "3fdda8517f82b73a820dd6dca2d76e993732bb7521ed55d825043020ff555555fc0070e1",
                "8013f96510977008f318963e8e0cfb453bb2086f9473215410497877cd2d259e6d77f6bc",
                "8295bd618d5d4450fa7a78247117eadd6917ec34e3f5c1a17f001ad7730a2b6e85dba622",
                "08e43fa347083643bd986319a693e8b5abea7e2a230f6dda169f4009b7218b7f67f9b546",
                "0b5641e25759d633f1bace1bde2dd0d21a66608cd261affdf973561",
            ]),
        KnownQRCode(
            text: String(repeating: "x", count: 106), mask: 7, size: 41,
            digits: [
                "3fcbcaaaa7f825f471c20dd31b1c7176e830aaaabb74f18e385d82cd9c71a0ff5555555f",
                "c00a11c70012dd238e3a030142aaaa6e7605c71d78211271c72ca608aaaae87d08b8e382",
                "73bbf1c70cd933d55556524408e38a1a42f638e34e76ed55545e94831c71f646e938e3cc",
                "c5bd2aaaa6d3ec9c71d7b654871c72e4e58aaaae83d6fb8e38239d571c70cfe4dd555564",
                "8e668e38a11cf0638e34cd9c955545cc06d1c71f77d3838e3fc00ae2aaa8eff17dc7157a",
                "0b3271c22d749e6aa9f8bacc98e22b5d0fb1c764e097a5553c5fd9b8e3902",
            ]),
    ]

    @Test("a code equals that of another encoder, for each version", arguments: known)
    func equalsKnown(_ known: KnownQRCode) throws {
        let code = try #require(QRCode(known.text, mask: known.mask))
        #expect(code.size == known.size)
        let bits = [true] + (0..<code.size * code.size).map { code[$0 / code.size, $0 % code.size] }
        let padded = Array(repeating: false, count: (4 - bits.count % 4) % 4) + bits
        let digits = stride(from: 0, to: padded.count, by: 4).map { start in
            String(padded[start..<start + 4].reduce(0) { $0 * 2 + ($1 ? 1 : 0) }, radix: 16)
        }
        #expect(digits.joined() == known.digits.joined())
    }

    @Test("each length up to 106 bytes has a code, and no longer one")
    func lengths() {
        for count in 1...QRCode.maximumBytes {
            #expect(QRCode(String(repeating: "a", count: count)) != nil)
        }
        #expect(QRCode(String(repeating: "a", count: 107)) == nil)
        #expect(QRCode("a", mask: 8) == nil)
    }

    @Test("the lines have a light edge of two squares")
    func lines() throws {
        let code = try #require(QRCode("http://10.0.0.7:8080/#pair=123456"))
        #expect(code.lines.count == (code.size + 5) / 2)
        for line in code.lines { #expect(line.count == code.size + 4) }
        #expect(code.lines[0].allSatisfy { $0 == "█" })
        #expect(code.lines.allSatisfy { $0.hasPrefix("██") && $0.hasSuffix("██") })
    }
}
