/// Decompresses the samples of a strip or tile that are coded by PackBits, a run-length coding (TIFF 6.0, section 9).
final class TIFFPackBits: TIFFDecompressor {
    private let input: TIFFBlockInput
    private var piece = UnsafeRawBufferPointer(start: nil, count: 0)
    // The number of literal bytes of the current PackBits packet that are still to be copied. A packet may continue in
    // the next buffer.
    private var literalCount = 0
    // The byte that the current PackBits packet repeats, and how many times it is still to be written.
    private var repetition = (byte: UInt8(0), count: 0)

    init(_ input: TIFFBlockInput) { self.input = input }

    func fill(_ room: UnsafeMutableRawBufferPointer) -> (count: Int, error: RenderError?) {
        var count = 0
        do throws(RenderError) {
            while count < room.count {
                if repetition.count > 0 {
                    let run = min(repetition.count, room.count - count)
                    for index in count..<count + run { room[index] = repetition.byte }
                    repetition.count -= run
                    count += run
                } else if literalCount > 0 {
                    if piece.isEmpty { piece = try input.piece() }
                    let run = min(literalCount, piece.count, room.count - count)
                    if run == 0 { break }
                    UnsafeMutableRawBufferPointer(rebasing: room[count...]).copyMemory(
                        from: UnsafeRawBufferPointer(rebasing: piece[..<run]))
                    piece = UnsafeRawBufferPointer(rebasing: piece[run...])
                    literalCount -= run
                    count += run
                } else {
                    guard let header = try next() else { break }
                    if header < 128 {
                        literalCount = Int(header) + 1
                    } else if header > 128 {
                        guard let byte = try next() else { break }
                        repetition = (byte, 257 - Int(header))
                    }
                }
            }
            return (count, nil)
        } catch {
            return (count, error)
        }
    }

    private func next() throws(RenderError) -> UInt8? {
        if piece.isEmpty { piece = try input.piece() }
        guard let byte = piece.first else { return nil }
        piece = UnsafeRawBufferPointer(rebasing: piece[1...])
        return byte
    }
}
