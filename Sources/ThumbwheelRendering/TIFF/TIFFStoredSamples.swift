/// Reads the samples of a strip or tile that is stored without compression.
final class TIFFStoredSamples: TIFFDecompressor {
    private let input: TIFFBlockInput

    init(_ input: TIFFBlockInput) { self.input = input }

    func fill(_ room: UnsafeMutableRawBufferPointer) -> (count: Int, error: RenderError?) { input.fill(room) }
}
