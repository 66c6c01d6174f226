/// Decompresses the samples of a strip or tile that are stored as a zlib stream.
final class TIFFInflater: TIFFDecompressor {
    private let input: TIFFBlockInput
    private let stream: InflateStream
    private let habit: TIFFInflaterHabit
    private var piece = UnsafeRawBufferPointer(start: nil, count: 0)
    // True once the input has ended or could not be read. The stream then decompresses the bytes that it already has,
    // and no further input is read.
    private var hasInputEnded = false
    // The error because of which the input could not be read; nil if there was none.
    private var failure: RenderError?

    init(_ input: TIFFBlockInput, _ habit: TIFFInflaterHabit) {
        self.input = input
        self.habit = habit
        stream = InflateStream(startsByLibrary: habit.isByLibrary)
    }

    func fill(_ room: UnsafeMutableRawBufferPointer) -> (count: Int, error: RenderError?) {
        var count = 0
        defer { habit.isByLibrary = stream.isByLibrary }
        while count < room.count {
            switch stream.inflate(&piece, hasMore: !hasInputEnded, into: room, after: &count) {
            case .outputFull: continue
            case .complete: return (count, nil)
            case .damaged: return (count, .malformed(reason: "compressed data are damaged"))
            case .endOfInput:
                guard !hasInputEnded else { return (count, failure) }
                do throws(RenderError) {
                    piece = try input.piece()
                    hasInputEnded = piece.isEmpty
                } catch {
                    (hasInputEnded, failure) = (true, error)
                }
            }
        }
        return (count, nil)
    }
}
