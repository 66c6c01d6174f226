/// Samples that are compressed by LZW (TIFF 6.0, section 13). All decoded samples stay in memory, because later codes
/// refer to earlier samples.
final class TIFFLZWSamples: TIFFDecompressor {
    private let input: TIFFBlockInput
    private let decoder = LZWDecoder<LZWHighBitsFirst>(symbolBits: 8, early: 1)
    private let samples: AlignedPlane<UInt8>
    private let byteCount: Int
    // The number of decoded bytes that callers have got.
    private var passedCount = 0
    private var failure: RenderError?

    init(_ input: TIFFBlockInput, byteCount: Int) {
        self.input = input
        self.byteCount = byteCount
        samples = AlignedPlane(pitch: byteCount)
    }

    func fill(_ room: UnsafeMutableRawBufferPointer) -> (count: Int, error: RenderError?) {
        decode(to: min(byteCount, passedCount + room.count))
        let count = min(room.count, decoder.count - passedCount)
        room.copyMemory(from: UnsafeRawBufferPointer(start: samples.bytes + passedCount, count: count))
        passedCount += count
        return (count, count < room.count ? failure : nil)
    }

    /// Decodes until `wanted` bytes are made or decoding fails.
    private func decode(to wanted: Int) {
        while decoder.count < wanted, failure == nil {
            do throws(RenderError) {
                let piece = try input.piece()
                let room = UnsafeMutableBufferPointer(start: samples.start, count: byteCount)
                let pause = decoder.decode(piece, into: room)
                let isShort = pause == .complete && decoder.count < byteCount
                if piece.isEmpty || pause == .damaged || isShort {
                    throw .malformed(reason: "compressed data are damaged")
                }
            } catch {
                failure = error
            }
        }
    }
}
