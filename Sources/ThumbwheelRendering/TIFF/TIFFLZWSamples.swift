/// Samples that are compressed by LZW (TIFF 6.0, section 13), made as a whole: their strings repeat what was made before.
final class TIFFLZWSamples: TIFFDecompressor {
    private let input: TIFFBlockInput
    private let decoder = LZWDecoder<LZWHighBitsFirst>(symbolBits: 8, early: 1)
    private let samples: AlignedPlane<UInt8>
    private let byteCount: Int
    // Bytes that were handed out.
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

    /// Decodes until there are as many bytes, or no more.
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
