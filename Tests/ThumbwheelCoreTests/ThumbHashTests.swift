import Foundation
import Testing
import ThumbwheelCore

@Suite("ThumbHash")
struct ThumbHashTests {
    /// As `rgba_to_thumb_hash` of the PyPI package fast_thumbhash 1.0.0 wrote it, which is Evan Wallace's own crate.
    private let landscape = "1f28066d9a8077778077888877688777708016f657"
    private let withAlpha = "1d3882140624310d83688b6838201404acc171798807d8780c"

    private func decoded(_ hex: String) -> ThumbHash? { ThumbHash(bytes: Array(hex: hex)) }

    private static let shapes: [(hex: String, ratio: Double)] = [
        ("1f28066d9a8077778077888877688777708016f657", 7.0 / 5),
        ("1f28066d1a8077807787786787777888708016f657", 5.0 / 7),
        ("1f28066f1a80777780778788777887788787080768617f05", 1),
        ("5f1806719e80777770888778718026f668", 7),
        ("1f2882328c48647b707c89557065f53809988778877878", 5.0 / 2),
        ("1d3882140624310d83688b6838201404acc171798807d8780c", 4.0 / 5),
    ]

    @Test("a hash tells its shape, as near as it can", arguments: shapes)
    func aspect(hex: String, ratio: Double) throws {
        let hash = try #require(decoded(hex))
        #expect(hash.aspectRatio == ratio)
        #expect(hash.byteCount == hex.utf8.count / 2 && hash.bytes == Array(hex: hex))
    }

    @Test("the mean colour is the reference's")
    func color() throws {
        // `thumb_hash_to_average_rgba`, in single precision.
        let opaque = try #require(decoded(landscape)).averageColor
        #expect(abs(opaque.red - 0.53703707) < 1e-6 && abs(opaque.green - 0.45767194) < 1e-6)
        #expect(abs(opaque.blue - 0.48148143) < 1e-6 && opaque.alpha == 1)
        let transparent = try #require(decoded(withAlpha)).averageColor
        #expect(abs(transparent.red - 0.52116406) < 1e-6 && abs(transparent.green - 0.41005290) < 1e-6)
        #expect(abs(transparent.blue - 0.44973540) < 1e-6 && abs(transparent.alpha - 0.26666668) < 1e-6)
    }

    @Test("bytes that are no hash are refused, at every length")
    func refused() {
        for hex in [landscape, withAlpha] {
            let bytes = Array(hex: hex)
            for count in 0...40 {
                let candidate = Array((bytes + Array(repeating: 0x77, count: 40)).prefix(count))
                #expect((ThumbHash(bytes: candidate) != nil) == (count == bytes.count))
            }
        }
        #expect(ThumbHash(bytes: Array(repeating: 0, count: 17)) == nil)
    }

    @Test("a hash is text in Base64, in JSON too")
    func base64() throws {
        let hash = try #require(decoded(landscape))
        #expect(hash.base64EncodedString() == "HygGbZqAd3eAd4iId2iHd3CAFvZX")
        #expect(ThumbHash(base64Encoded: "HygGbZqAd3eAd4iId2iHd3CAFvZX") == hash)
        #expect(ThumbHash(base64Encoded: "HygG") == nil && ThumbHash(base64Encoded: "no text of this kind") == nil)
        let json = try JSONEncoder().encode(["hash": hash])
        #expect(try JSONDecoder().decode([String: ThumbHash].self, from: json) == ["hash": hash])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([String: ThumbHash].self, from: Data(#"{"hash":"HygG"}"#.utf8))
        }
    }
}

extension [UInt8] {
    fileprivate init(hex: String) {
        let digits = hex.compactMap(\.hexDigitValue)
        self = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
