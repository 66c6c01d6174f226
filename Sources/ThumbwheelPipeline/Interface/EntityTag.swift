import ThumbwheelAssets

/// A strong validator (RFC 9110, 8.8.1) of an image's bytes: equal tags mean equal bytes.
///
/// The tag is known before the image is made, so that a service can answer `304 Not Modified` without rendering. It
/// changes with the picture's version, with the request, and with the versions of the encoders. If the photo library is
/// saved and then loaded by other processes, they get the same tags. If a photo library is filled again from scratch,
/// its pictures get other versions, and so other tags.
public struct EntityTag: Hashable, Sendable, CustomStringConvertible {
    /// The tag as it stands in the header `ETag`, including the quotation marks.
    public let description: String

    package init(hashing parts: [String]) {
        let digits = String(NameDigest(parts.joined(separator: "|")).value, radix: 36)
        description = "\"\(digits)\""
    }
}
