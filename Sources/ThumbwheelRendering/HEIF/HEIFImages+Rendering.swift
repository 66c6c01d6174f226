import ThumbwheelCore
import ThumbwheelFormats

extension HEIFImages {
    /// Reads the items of a file that is to be rendered; nil if the items are combined in a way that this library does
    /// not support.
    init?(in bytes: any ByteSource) throws(RenderError) {
        do throws(HeadError) {
            guard let images = try HEIFImages(reading: bytes) else { return nil }
            self = images
        } catch {
            throw RenderError(error)
        }
    }
}

extension HEIFImage {
    /// The bytes of the ICC profile; nil if the image has no profile, or one that is too large to be applied.
    func profile(in bytes: any ByteSource) throws(RenderError) -> [UInt8]? {
        guard let profile, profile.length <= ColorConversion.profileByteLimit else { return nil }
        do throws(ByteSourceError) {
            return try bytes.bytes(in: profile)
        } catch {
            throw .source(error)
        }
    }
}
