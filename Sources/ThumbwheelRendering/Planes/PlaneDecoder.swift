/// A decode that can also hand out its planes, each at its own scale. Subsampled planes then need not be interpolated
/// to the scale of the others before they are reduced.
protocol PlaneDecoder: RowDecoder {
    var scales: PlaneScales { get }
    var colors: PlaneColors { get }
    /// The means of the picture's blocks, if the decoder finds them without extra work and was asked to keep them; nil
    /// otherwise.
    var means: BlockMeans? { get }

    /// Asks the decoder to keep `means`, if it can.
    func keepMeans()

    /// Lets idle threads help with the decode.
    func share(with assistants: any RenderAssistants)

    /// Decodes the rows that the consumer needs, each plane at its own scale. It may be called once.
    func forEachRow(to consumer: any PlaneRowConsumer) -> DecodeEnd
}
