/// A decoded frame of a video.
package struct VideoFrame {
    /// The order in which the two fields of an interlaced frame were recorded. A field is every other row of the frame.
    package enum FieldOrder {
        case topFirst
        case bottomFirst
    }

    package let picture: DecodedPicture
    /// The code of the primaries in the coded data (ITU-T H.273); 2 if the data do not state them.
    package let primaries: UInt16
    /// The code of the transfer curve in the coded data (ITU-T H.273); 2 if the data do not state it.
    package let transfer: UInt16
    /// The order of the frame's fields; nil unless the frame is interlaced.
    package let fieldOrder: FieldOrder?

    package init(_ picture: DecodedPicture, primaries: UInt16, transfer: UInt16, fieldOrder: FieldOrder?) {
        self.picture = picture
        self.primaries = primaries
        self.transfer = transfer
        self.fieldOrder = fieldOrder
    }
}
