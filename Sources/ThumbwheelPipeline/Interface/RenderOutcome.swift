/// How a job ended on its worker.
package enum RenderOutcome: Sendable {
    /// The job made renditions: for each rendition, its image or an error, in the order of the assignment's `keys`.
    case ended([Result<PipelineImage, ImageRequestError>])
    /// No rendition of the assignment could be made.
    case failed(ImageRequestError)
    /// The packed image would not take fewer bytes than the image that it was made from.
    case notSmaller
    /// The decoder needed bytes outside the ranges of the file that were fetched.
    case lackingBytes
    /// The job was cut short because it was told to stop.
    case stopped

    /// Returns the outcome of a job that had only one rendition to make, and made it.
    package static func image(_ image: PipelineImage) -> RenderOutcome { .ended([.success(image)]) }
}
