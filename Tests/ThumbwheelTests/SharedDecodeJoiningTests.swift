import Testing

@testable import Thumbwheel

@Suite("Who goes along with a decode")
struct SharedDecodeJoiningTests {
    private func decode(
        _ eighths: Int, isNatural: Bool = false, isFile: Bool = false, isSpeculative: Bool = false
    ) -> SharedDecode {
        SharedDecode(
            kind: .high, eighths: eighths, isNatural: isNatural, isFile: isFile, isSpeculative: isSpeculative,
            outputByteCount: 1, workingByteCount: 10)
    }

    @Test("the larger and finer decode is that of both")
    func larger() throws {
        let joint = try #require(decode(2, isNatural: true).joined(by: decode(3)))
        #expect(joint.eighths == 3 && joint.isNatural && joint.predictedByteCount == 12)
        #expect(!joint.isLike(decode(3)) && !joint.isLike(decode(2, isNatural: true)))
    }

    @Test("a file's decode is its own, whoever comes first")
    func files() {
        let file = decode(2, isFile: true)
        for other in [decode(2), decode(1), file] {
            #expect(file.joined(by: other) != nil && other.joined(by: file) != nil)
        }
        for other in [decode(3), decode(2, isNatural: true)] {
            #expect(file.joined(by: other) == nil && other.joined(by: file) == nil)
        }
        #expect(decode(2, isNatural: true, isFile: true).joined(by: decode(2)) != nil)
    }
}
