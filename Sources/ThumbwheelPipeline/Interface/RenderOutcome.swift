/// How a job ended on its worker.
package enum RenderOutcome: Sendable {
    /// The result for each rendition of the assignment, in the order of the assignment's keys.
    case ended([Result<PipelineImage, ImageRequestError>])
    /// No rendition of the assignment could be made.
    case failed(ImageRequestError)
    /// Packing gained nothing: the image does not get smaller.
    case notSmaller
    /// The job was cut short because it was told to stop.
    case stopped

    /// The outcome of an assignment without companions, which makes only one image.
    package static func image(_ image: PipelineImage) -> RenderOutcome { .ended([.success(image)]) }
}
