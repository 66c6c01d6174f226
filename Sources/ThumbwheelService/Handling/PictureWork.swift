import Thumbwheel
import ThumbwheelCore

/// A picture that is being made for a request.
struct PictureWork: Sendable {
    let order: ThumbnailOrder
    let options: ImageRequestOptions
    let resident: Resident
    /// The header fields of the response.
    let fields: HTTPFields
    /// When the request came.
    let arrival: MonotonicTime
}
