import ThumbwheelCore

/// A decoder of coded pictures that belong to one image: those of a grid, or the only one.
///
/// A thread has a decoder of its own.
package protocol PictureDecoder: AnyObject {
    /// Decodes a picture from the data of an item.
    ///
    /// - Parameter data: is valid during the call.
    /// - Returns: a picture that is valid until the next call.
    func decode(_ data: UnsafeRawBufferPointer) throws(RenderError) -> DecodedPicture
}
