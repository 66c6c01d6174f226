import ThumbwheelCore

/// A decoder of the coded pictures of one image. The image is one picture, or a grid of several pictures.
///
/// Each thread uses a decoder of its own.
package protocol PictureDecoder: AnyObject {
    /// Decodes a picture from the data of an item.
    ///
    /// - Parameter data: the coded bytes, valid only during the call.
    /// - Returns: a decoded picture that is valid until the next call.
    func decode(_ data: UnsafeRawBufferPointer) throws(RenderError) -> DecodedPicture

    /// Decodes the layer that follows the layer that was decoded last.
    ///
    /// - Returns: the picture of that layer, valid until the next call.
    func decodeNextLayer(_ data: UnsafeRawBufferPointer) throws(RenderError) -> DecodedPicture
}

extension PictureDecoder {
    package func decodeNextLayer(_ data: UnsafeRawBufferPointer) throws(RenderError) -> DecodedPicture {
        throw .malformed(reason: "a second layer in a coding that has none")
    }
}
