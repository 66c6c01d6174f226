/// How a job ended on its worker.
package enum RenderOutcome: Sendable {
    /// What became of each rendition of the assignment, in the order of its keys.
    case ended([Result<PipelineImage, ImageRequestError>])
    /// None of them could be made.
    case failed(ImageRequestError)
    /// Packing gained nothing: the image does not get smaller.
    case notSmaller
    /// Cut short because it was told to stop.
    case stopped

    /// The one image of an assignment without companions.
    package static func image(_ image: PipelineImage) -> RenderOutcome { .ended([.success(image)]) }
}
