import HTTPServer
import Testing

/// A code that another encoder (qrcode 8.2 for Python) has made: a text, a mask, the size, and after a 1 the
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
                "3fce7f82ba0dd1176e90bb7595d822a0ff55fc00601546129c423217446a18894d55500f",
                "557f0bbe0977175aedba0235d64460988dfd157",
            ]),
        KnownQRCode(
            text: "stompline", mask: 5, size: 21,
            digits: [
                "3fc97f82d20dd6976ea6bb7495d82520ff55fc02001056ce81bc741551bb2f5f667ab008",
                "cdff0a2a098bf74611ba3ec5d2e5e09f99fd92a",
            ]),
        KnownQRCode(
            text: "http://10.0.0.7:8080/", mask: 2, size: 25,
            digits: [
                "3fcc47f820120dd78976ebf2bb751c5d82f120ff555fc0300017c797cb00a015bbce2da2",
                "e20217db77b4444557bf9ae43ca932621f4008d8e7f2357e0bb6377557ffbaa13bdd4c81",
                "6094b73fda23f",
            ]),
        KnownQRCode(
            text: "http://192.168.178.100:8080/#pair=123456", mask: 3, size: 29,
            digits: [
                "3fdd4a7f82e60a0dd3bc976ea37abb74e275d8276120ff5555fc02a92016e70b4b9dc212",
                "8d5a8621b7418412a539dac55713f1c7a1487fe1e0f459d3533225892035d23d13041f92",
                "c8976f9fc00b8f8fff415d6a0b7ae337422dffba89d0add44620609bc765fdb55ba",
            ]),
        KnownQRCode(
            text: "https://[2001:db8:85a3::8a2e:370:7334]:8080/#pair=654321", mask: 4, size: 33,
            digits: [
                "3fda2177f82501420dd1a62976eb2824bb75bc1f5d82aaf420ff55555fc030fba0117f5f",
                "ef960e501c657b887923740dbc8226bcedfa346cc986450442b59e3117d90253aec5a48c",
                "989a603efc39a1657314402c71ccebe8ca49930bc8859d8748f3db1ef39cbfa00d50f8a7",
                "f4ea3562098fd62775304df9ba02ee7a5d3763bd209495a11fd0aa9c9",
            ]),
        KnownQRCode(
            text: "https://stompline-on-the-stage.example.local:18080/#pair=000001 and more text",
            mask: 6, size: 37,
            digits: [
                "3fdfc8517f82b63a820dd61ca2d76e997732bb7521ed55d827243020ff555555fc01f8e1",
                "8013f1f5109711b0731896b2020cfb497fd2086f9451215410cd7c77cd6d26ae6d77e7b5",
                "8295aee0995d443468fa782571dbeadd65538c34e3f7e3a17f081ed3730a4b7db5dba423",
                "89643fb3dbdc3643d8b2c319a61f24b5abe61a4a230f2fd8169f400df3218b7f47c9b546",
                "0bd7c1e257588233f1baecbbde2dd0de1a66608cb261affddb73561",
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
        KnownQRCode(
            text: "http://10.0.0.8:8080/", mask: 1, size: 25,
            digits: [
                "3fdb97f821020dd63d76e956bb74615d829820ff555fc00e40146e425602325f1b7cf771",
                "c090ded4c144ed61e704f74106e01e60df200a48aff5856608922574fbf9ba481f5d57ec",
                "e09efe1fd8f89",
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
        #expect(code.lines.dropLast().allSatisfy { $0.hasPrefix("██") && $0.hasSuffix("██") })
        // The number of rows is odd.
        #expect(code.lines.last?.allSatisfy { $0 == "▀" } == true)
    }
}
