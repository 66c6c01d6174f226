import FixtureKit
import Testing

@Suite("Sums")
struct FixtureSumsTests {
    @Test(
        "SHA-256 gives the standard's examples",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ])
    func examples(text: String, sum: String) {
        #expect(SHA256.hexadecimal(Array(text.utf8)) == sum)
    }

    @Test(
        "lengths around the padding's edge",
        arguments: [
            (55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"),
            (56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"),
            (64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"),
        ])
    func padding(count: Int, sum: String) {
        #expect(SHA256.hexadecimal([UInt8](repeating: 0x61, count: count)) == sum)
    }

    @Test("sums survive writing and reading")
    func roundTrip() throws {
        var sums = FixtureSums()
        sums.exact = ["library/b.jpg": "02", "library/a.jpg": "01"]
        sums.versioned = ["library/c.webp": .init(sum: "03", encoder: "libvips-1/libwebp-2")]
        #expect(sums.exactText == "01  library/a.jpg\n02  library/b.jpg\n")
        #expect(try FixtureSums(exact: sums.exactText, versioned: sums.versionedText) == sums)
    }

    @Test("a line of another shape is an error")
    func malformed() {
        #expect(throws: FixtureError.malformedSums("only-one-column")) {
            try FixtureSums(exact: "only-one-column\n", versioned: "")
        }
    }

    @Test("the sum of another encoder's version says nothing here")
    func otherVersion() throws {
        let webp = try #require(FixtureLibrary.fixture("library/lossy.webp"))
        var sums = FixtureSums()
        sums.versioned[webp.path] = .init(sum: "01", encoder: "libvips-0.0.0")
        #expect(sums.expected(for: webp) == nil)
        sums.record("02", for: webp)
        #expect(sums.expected(for: webp) == "02")
    }
}
