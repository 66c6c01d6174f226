import Thumbwheel

extension RenderLimits {
    /// The usual limits with an hour for each render, because a busy machine may take long to start a decoder process, and to
    /// decode.
    package static let unhurried = RenderLimits(duration: .seconds(3600))
}
