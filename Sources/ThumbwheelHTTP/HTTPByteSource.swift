import Foundation
import ThumbwheelCore
import ThumbwheelLocks

/// A file behind HTTP that is read by ranges, in blocks. The blocks that were read last are kept.
final class HTTPByteSource: ByteSource {
    /// The length of a block in bytes. For most files, an import reads only the first block.
    private static let blockByteCount = 64 << 10

    let byteCount: Int
    private let file: HTTPTransfer.File
    private let url: URL
    private let client: HTTPClient
    private let blocks: Mutex<KeptBlocks>

    /// Opens the file by reading its beginning.
    init(url: URL, client: HTTPClient) throws(ByteSourceError) {
        let content: HTTPTransfer.Content
        do throws(NetworkError) {
            content = try client.transfer(url, .part(0..<Self.blockByteCount, of: nil)).wait()
        } catch {
            throw .network(error)
        }
        self.url = url
        self.client = client
        file = content.file
        byteCount = content.file.byteCount
        blocks = Mutex(
            KeptBlocks(Self.blocks(of: content), areWhole: content.bytes.count >= content.file.byteCount))
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(ByteSourceError) -> Int {
        guard offset >= 0, offset < byteCount, !buffer.isEmpty else { return 0 }
        let wanted = offset..<offset + min(buffer.count, byteCount - offset)
        let numbers = wanted.lowerBound / Self.blockByteCount...(wanted.upperBound - 1) / Self.blockByteCount
        var found = blocks.withLock { kept in kept.blocks.filter { numbers.contains($0.key) } }
        while let missing = Self.firstMissing(in: numbers, found) {
            let fetched = try fetch(missing)
            // A transfer brings all of a part or fails. Without this check, a part that lacks its first block would make the
            // loop run for ever.
            guard fetched[missing.lowerBound] != nil else { throw .network(.invalidResponse(reason: "too few bytes")) }
            found.merge(fetched) { old, _ in old }
            blocks.withLock { $0.add(fetched) }
        }
        for number in numbers {
            let block = found[number]!
            let start = number * Self.blockByteCount
            let part = wanted.clamped(to: start..<start + block.count)
            block.withUnsafeBytes { bytes in
                UnsafeMutableRawBufferPointer(rebasing: buffer[(part.lowerBound - offset)...]).copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: bytes[part.lowerBound - start..<part.upperBound - start]))
            }
        }
        return wanted.count
    }

    /// Returns the first run of blocks that are missing.
    private static func firstMissing(in numbers: ClosedRange<Int>, _ found: [Int: ArraySlice<UInt8>]) -> Range<Int>? {
        guard let first = numbers.first(where: { found[$0] == nil }) else { return nil }
        return first..<((first...numbers.upperBound).first { found[$0] != nil } ?? numbers.upperBound + 1)
    }

    private func fetch(_ numbers: Range<Int>) throws(ByteSourceError) -> [Int: ArraySlice<UInt8>] {
        let size = Self.blockByteCount
        let range = numbers.lowerBound * size..<min(numbers.upperBound * size, byteCount)
        do throws(NetworkError) {
            return Self.blocks(
                of: try client.transfer(url, .part(range, of: file)).wait())
        } catch {
            throw .network(error)
        }
    }

    /// Returns the complete blocks of the content that has come. A file's last block may be shorter; bytes behind the file's
    /// end are dropped.
    private static func blocks(of content: HTTPTransfer.Content) -> [Int: ArraySlice<UInt8>] {
        var blocks: [Int: ArraySlice<UInt8>] = [:]
        let end = min(content.offset + content.bytes.count, content.file.byteCount)
        var start = content.offset
        while start < end {
            let stop = min(start + blockByteCount, content.file.byteCount)
            guard stop <= end else { break }
            blocks[start / blockByteCount] = content.bytes[start - content.offset..<stop - content.offset]
            start = stop
        }
        return blocks
    }
}
