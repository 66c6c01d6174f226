import Testing
import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelRendering
import ThumbwheelScheduling

@testable import ThumbwheelPipeline

@Suite("Who goes along with a decode")
struct SharedDecodeJoiningTests {
    private func decode(
        _ eighths: Int, hasFineChroma: Bool = false, hasFile: Bool = false, isSpeculative: Bool = false
    ) -> SharedDecode {
        SharedDecode(
            kind: .high, eighths: eighths, hasFineChroma: hasFineChroma, hasFile: hasFile, isSpeculative: isSpeculative,
            outputByteCount: 1, workingByteCount: 10)
    }

    @Test("the larger and finer decode is that of both")
    func larger() throws {
        let joint = try #require(decode(2, hasFineChroma: true).joined(with: decode(3)))
        #expect(joint.eighths == 3 && joint.hasFineChroma && joint.predictedByteCount == 12)
        #expect(!joint.makesSamePixels(as: decode(3)) && !joint.makesSamePixels(as: decode(2, hasFineChroma: true)))
    }

    @Test("a file's decode is its own, whoever comes first")
    func files() {
        let file = decode(2, hasFile: true)
        for other in [decode(2), decode(1), file] {
            #expect(file.joined(with: other) != nil && other.joined(with: file) != nil)
        }
        for other in [decode(3), decode(2, hasFineChroma: true)] {
            #expect(file.joined(with: other) == nil && other.joined(with: file) == nil)
        }
        #expect(decode(2, hasFineChroma: true, hasFile: true).joined(with: decode(2)) != nil)
    }

    @Test("a file among several keeps the decode its own")
    func carried() throws {
        let joint = try #require(decode(2).joined(with: decode(2, hasFile: true)))
        #expect(joint.hasFile && joint.joined(with: decode(3)) == nil)
    }

    @Test("what nobody waits for makes nothing slower that somebody waits for")
    func speculative() {
        for other in [decode(3, isSpeculative: true), decode(2, hasFineChroma: true, isSpeculative: true)] {
            #expect(decode(2).joined(with: other) == nil)
            #expect(decode(2, isSpeculative: true).joined(with: other) != nil)
        }
        #expect(decode(2).joined(with: decode(1, isSpeculative: true)) != nil)
    }
}
