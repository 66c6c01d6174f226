/// Samples that are compressed as a zlib stream.
final class TIFFInflater: TIFFDecompressor {
    private let input: TIFFBlockInput
    private let stream = InflateStream()
    private var piece = UnsafeRawBufferPointer(start: nil, count: 0)
    // Whether the input has ended, and the error that ended it.
    private var isWhole = false
    private var failure: RenderError?

    init(_ input: TIFFBlockInput) { self.input = input }

    func fill(_ room: UnsafeMutableRawBufferPointer) -> (count: Int, error: RenderError?) {
        var count = 0
        while count < room.count {
            switch stream.inflate(&piece, hasMore: !isWhole, into: room, after: &count) {
            case .room: continue
            case .complete: return (count, nil)
            case .damaged: return (count, .malformed(reason: "compressed data are damaged"))
            case .input:
                guard !isWhole else { return (count, failure) }
                do throws(RenderError) {
                    piece = try input.piece()
                    isWhole = piece.isEmpty
                } catch {
                    (isWhole, failure) = (true, error)
                }
            }
        }
        return (count, nil)
    }
}
