import Foundation
import Synchronization
import ThumbwheelCore
import ThumbwheelFormats

@testable import ThumbwheelRendering

/// Synthetic bitmaps and files that the suites share.
enum Pictures {
    /// A bitmap whose samples are computed from column, row and channel.
    static func bitmap(
        _ width: Int, _ height: Int, format: Bitmap.PixelFormat = .rgb, _ sample: (Int, Int, Int) -> Int
    ) -> Bitmap {
        Bitmap(size: PixelSize(width: width, height: height), format: format) { pixels in
            var index = 0
            for y in 0..<height {
                for x in 0..<width {
                    for channel in 0..<format.bytesPerPixel {
                        pixels[index] = UInt8(clamping: sample(x, y, channel))
                        index += 1
                    }
                }
            }
        }
    }

    /// Smooth shapes with a different pattern in each channel and each corner, so that no turn of it looks like another.
    static func scene(_ width: Int, _ height: Int, format: Bitmap.PixelFormat = .rgb) -> Bitmap {
        bitmap(width, height, format: format) { x, y, channel in
            let u = Double(x) / Double(width)
            let v = Double(y) / Double(height)
            return switch channel {
            case 0: Int(255 * u)
            case 1: Int(127 + 120 * sin(9 * v + 3 * u))
            case 2: Int(255 * v * (1 - u))
            default: Int(40 + 200 * u * v)
            }
        }
    }

    /// Noise from a seed: what a codec can compress least.
    static func noise(_ width: Int, _ height: Int, seed: UInt64) -> Bitmap {
        var generator = SplitMix(state: seed)
        return bitmap(width, height) { _, _, _ in Int(generator.next() & 255) }
    }

    /// A JPEG with an EXIF orientation: an APP1 segment with the one tag behind the start of the image.
    static func jpeg(_ bitmap: Bitmap, orientation: ImageOrientation, quality: Int = 95) throws -> [UInt8] {
        let bytes = try bitmap.encoded(as: .jpeg(quality: quality))
        let exif: [UInt8] =
            [0x45, 0x78, 0x69, 0x66, 0, 0, 0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0, 1]
            + [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation.rawValue, 0, 0, 0, 0, 0, 0]
        let segment = [0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif
        return bytes[..<2] + segment + bytes[2...]
    }

    /// All samples, rows without gaps.
    static func samples(_ bitmap: Bitmap) -> [UInt8] { bitmap.withUnsafeBytes { Array($0) } }

    /// The stored image turned upright pixel by pixel, by the definition of the EXIF tag.
    static func upright(_ stored: Bitmap, _ orientation: ImageOrientation) -> Bitmap {
        let size = orientation.displaySize(of: stored.size)
        let (right, below) = (stored.size.width - 1, stored.size.height - 1)
        let bytes = stored.format.bytesPerPixel
        return stored.withUnsafeBytes { source in
            bitmap(size.width, size.height, format: stored.format) { x, y, channel in
                let (column, row): (Int, Int) =
                    switch orientation {
                    case .up: (x, y)
                    case .upMirrored: (right - x, y)
                    case .down: (right - x, below - y)
                    case .downMirrored: (x, below - y)
                    case .leftMirrored: (y, x)
                    case .right: (y, below - x)
                    case .rightMirrored: (right - y, below - x)
                    case .left: (right - y, x)
                    }
                return Int(source[(row * stored.size.width + column) * bytes + channel])
            }
        }
    }

    /// The mean difference of samples; infinite for bitmaps of different sizes.
    static func meanDifference(_ one: Bitmap, _ other: Bitmap) -> Double {
        let (one, other) = (Pictures.samples(one), Pictures.samples(other))
        guard one.count == other.count else { return .infinity }
        return Double(zip(one, other).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }) / Double(one.count)
    }

    /// The largest difference between two bitmaps' samples; nil where size or format differ.
    static func largestDifference(_ one: Bitmap, _ other: Bitmap) -> Int? {
        guard one.size == other.size, one.format == other.format else { return nil }
        return zip(samples(one), samples(other)).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
    }
}

/// A small generator with a seed: the same numbers on every machine.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// A source that counts its reads, and that cancels a token during one of them.
final class CountingByteSource: ByteSource {
    private let bytes: MemoryByteSource
    private let token: CancellationToken?
    private let cancellingRead: Int
    private let reads = Atomic(0)
    private let lateReads = Atomic(0)
    private let copied = Atomic(0)
    private let read = Mutex<[Range<Int>]>([])
    private let largest = Atomic(0)

    init(_ bytes: [UInt8], cancelling token: CancellationToken? = nil, atRead cancellingRead: Int = .max) {
        self.bytes = MemoryByteSource(bytes)
        self.token = token
        self.cancellingRead = cancellingRead
    }

    var byteCount: Int { bytes.byteCount }
    var readCount: Int { reads.load(ordering: .relaxed) }
    /// The ranges that were read, in order.
    var ranges: [Range<Int>] { read.withLock { $0 } }
    /// Bytes that reads have brought.
    var copiedByteCount: Int { copied.load(ordering: .relaxed) }
    /// The most that a read asked for.
    var largestRead: Int { largest.load(ordering: .relaxed) }
    /// Reads that began when the token was cancelled already.
    var readCountAfterCancelling: Int { lateReads.load(ordering: .relaxed) }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
        if token?.isCancelled == true { lateReads.add(1, ordering: .relaxed) }
        if reads.add(1, ordering: .relaxed).newValue == cancellingRead { token?.cancel() }
        largest.max(buffer.count, ordering: .relaxed)
        let count = bytes.read(into: buffer, at: offset)
        copied.add(count, ordering: .relaxed)
        read.withLock { $0.append(offset..<offset + count) }
        return count
    }
}
