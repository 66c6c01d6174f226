import Foundation
import Testing
import ThumbwheelCore
import ThumbwheelFormats

@Suite struct CorpusTests {
    @Test("every photograph has a head", .enabled(if: Corpus.exists("photos"), "../shared/photos is not there"))
    func photographs() throws {
        for path in Corpus.paths("photos") {
            let source = try FileByteSource(path: path)
            let head = try ImageHead(reading: source)
            #expect(head.contentType == .jpeg)
            #expect(head.storedSize.pixelCount > 1_000_000)
            #expect(head.jpeg?.samplingFactors.count == 3)
            if let preview = head.preview {
                let inner = try ImageHead(reading: SubrangeByteSource(source, range: preview.byteRange))
                #expect(inner.displaySize.pixelCount < head.displaySize.pixelCount)
            }
        }
    }

    @Test(
        "every other file gives a head or a typed error, whatever its kind",
        .enabled(if: Corpus.exists("formats"), "../shared/formats is not there"))
    func formats() throws {
        var heads: [ContentType: Int] = [:]
        for path in Corpus.paths("formats") {
            guard let head = try Self.read(FileByteSource(path: path)) else { continue }
            heads[head.contentType, default: 0] += 1
        }
        for type in [ContentType.jpeg, .png, .webp, .gif, .tiff, .heic, .avif, .bmp] {
            #expect(heads[type, default: 0] > 0, "no \(type)")
        }
    }

    @Test(
        "files that broke other libraries give a head or a typed error",
        .enabled(if: Corpus.exists("hostile"), "../shared/hostile is not there"))
    func hostile() throws {
        for path in Corpus.paths("hostile") { _ = try Self.read(FileByteSource(path: path)) }
    }

    @Test(
        "files cut anywhere and with bytes changed anywhere give a head or a typed error",
        .enabled(if: Corpus.exists("formats"), "../shared/formats is not there"))
    func damaged() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("damaged files from seed \(seed)")
        var numbers = SeededNumbers(seed: seed)
        for path in Corpus.paths("photos") + Corpus.paths("formats") {
            let whole = try FileByteSource(path: path).bytes(in: 0..<65_536)
            for _ in 0..<12 {
                _ = try Self.read(MemoryByteSource(Self.damage(whole, &numbers)))
            }
        }
    }

    /// Cuts and changes bytes; mostly near the front, where heads are.
    private static func damage(_ whole: [UInt8], _ numbers: inout SeededNumbers) -> [UInt8] {
        var bytes = whole
        if Bool.random(using: &numbers) { bytes.removeLast(Int.random(in: 0...bytes.count, using: &numbers)) }
        for _ in 0..<Int.random(in: 0...8, using: &numbers) where !bytes.isEmpty {
            let reach = Bool.random(using: &numbers) ? min(bytes.count, 512) : bytes.count
            let values: [UInt8] = [0, 1, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &numbers)]
            bytes[Int.random(in: 0..<reach, using: &numbers)] = values.randomElement(using: &numbers)!
        }
        return bytes
    }

    /// The head, or nil for bytes that are refused; an error of the source is one of the test.
    private static func read(_ source: some ByteSource) throws -> ImageHead? {
        do throws(HeadError) {
            let facts = try PhotographFacts(reading: source, filename: "photograph")
            let head = facts.head
            #expect((head.captureDate == nil) == (facts.dateSource == nil))
            if let location = facts.location {
                #expect(abs(location.latitude) <= 90 && abs(location.longitude) <= 180)
                #expect(location.altitude?.isFinite ?? true)
            }
            if let heading = facts.heading { #expect(0..<360 ~= heading.degrees) }
            var sole = try ImageHead(reading: source)
            sole.captureDate = head.captureDate
            #expect(head == sole)
            #expect(!head.storedSize.isEmpty)
            #expect(head.frameCount >= 1)
            for preview in head.previews { #expect(preview.byteRange.upperBound <= source.byteCount) }
            return head
        } catch .source(let error) {
            throw error
        } catch {
            return nil
        }
    }
}
