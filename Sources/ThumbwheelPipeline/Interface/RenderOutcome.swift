/// How a job ended on its worker.
package enum RenderOutcome: Sendable {
    /// The result for each rendition of the assignment, in the order of the assignment's keys.
    case ended([Result<PipelineImage, ImageRequestError>])
    /// No rendition of the assignment could be made.
    case failed(ImageRequestError)
    /// Packing brought no gain: the packed image would take no fewer bytes.
    case notSmaller
    /// The decoder needed bytes outside the ranges of the file that were fetched.
    case lackingBytes
    /// The job was cut short because it was told to stop.
    case stopped

    /// The outcome of an assignment without companions, which makes only one image.
    package static func image(_ image: PipelineImage) -> RenderOutcome { .ended([.success(image)]) }
}
