/// A decode that can also hand out its planes, each at its own scale: subsampled ones need not be made as fine as the
/// others before they are reduced.
protocol PlaneDecoder: RowDecoder {
    var scales: PlaneScales { get }
    var colors: PlaneColors { get }
    /// The means of the picture's blocks, if the decoder sees them in passing and was told to keep them.
    var means: BlockMeans? { get }

    /// Has the decoder keep `means`, if it can.
    func keepMeans()

    /// Lets idle threads help.
    func share(with assistants: any RenderAssistants)

    /// Decodes the rows that the consumer needs, each plane at its own scale. It is called once.
    func forEachRow(to consumer: any PlaneRowConsumer) -> DecodeEnd
}
