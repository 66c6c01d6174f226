/// The outcome of a decode that handed its rows to a consumer in order.
struct DecodeEnd {
    /// The fraction of the image's height that was decoded, from 0 to 1.
    var decodedFraction = 0.0
    /// The error that ended the decode too soon; nil if the decode is complete. If the error means damage (`isDamage`)
    /// and some rows were decoded, the consumer received neutral grey in place of the missing rows.
    var error: RenderError?
}

extension DecodeEnd {
    /// The outcome of a decode that failed after a fraction of the picture's height. If the error is `.truncated`, the
    /// fraction in the error is replaced by `fraction`.
    init(_ error: RenderError, after fraction: Double) {
        if case .truncated = error {
            self.init(decodedFraction: fraction, error: .truncated(decodedFraction: fraction))
        } else {
            self.init(decodedFraction: fraction, error: error)
        }
    }
}
