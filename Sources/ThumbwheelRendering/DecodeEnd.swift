/// How a walk over a decode's rows ended.
struct DecodeEnd {
    /// How much of the image's height was decoded.
    var decodedFraction = 0.0
    /// Why it ended too soon; what was not decoded was handed over as neutral grey, unless the work must stop.
    var error: RenderError?
}
