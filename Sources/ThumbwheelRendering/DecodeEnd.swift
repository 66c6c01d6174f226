/// The outcome of handing over a decode's rows in order.
struct DecodeEnd {
    /// The fraction of the image's height that was decoded, from 0 to 1.
    var decodedFraction = 0.0
    /// The error that ended the decode too soon; nil if the decode is complete. The missing rows were handed over as
    /// neutral grey, unless the error means that the work must stop.
    var error: RenderError?
}

extension DecodeEnd {
    /// The end of a decode that failed after a fraction of the picture's height. A truncation is told with that fraction.
    init(_ error: RenderError, after fraction: Double) {
        if case .truncated = error {
            self.init(decodedFraction: fraction, error: .truncated(decodedFraction: fraction))
        } else {
            self.init(decodedFraction: fraction, error: error)
        }
    }
}
