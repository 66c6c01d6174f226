/// Samples that are compressed as a zlib stream.
final class TIFFInflater: TIFFDecompressor {
    private let input: TIFFBlockInput
    private let stream = InflateStream()
    private var piece = UnsafeRawBufferPointer(start: nil, count: 0)

    init(_ input: TIFFBlockInput) { self.input = input }

    func fill(_ room: UnsafeMutableRawBufferPointer) -> (count: Int, error: RenderError?) {
        var count = 0
        while count < room.count {
            let step = stream.inflate(&piece, into: UnsafeMutableRawBufferPointer(rebasing: room[count...]))
            count += step.count
            switch step.pause {
            case .room: continue
            case .complete: return (count, nil)
            case .damaged: return (count, .malformed(reason: "compressed data are damaged"))
            case .input:
                do throws(RenderError) {
                    piece = try input.piece()
                } catch {
                    return (count, error)
                }
                if piece.isEmpty { return (count, nil) }
            }
        }
        return (count, nil)
    }
}
