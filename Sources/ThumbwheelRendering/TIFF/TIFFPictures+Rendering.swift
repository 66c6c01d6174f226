import ThumbwheelCore
import ThumbwheelFormats

extension TIFFPictures {
    /// Reads the directories of a file for rendering; nil if the decoder does not support the layout of the first page.
    init?(in bytes: any ByteSource) throws(RenderError) {
        do throws(HeadError) {
            guard let pictures = try TIFFPictures(reading: bytes) else { return nil }
            self = pictures
        } catch {
            throw RenderError(error)
        }
    }

    /// Returns the smallest version of the picture that has at least `scale` times the picture's width and height. If
    /// no version is large enough, returns the picture itself.
    func level(forScale scale: Double) -> TIFFPicture {
        let (width, height) = (Double(picture.size.width) * scale, Double(picture.size.height) * scale)
        return levels.filter { Double($0.size.width) >= width && Double($0.size.height) >= height }
            .min { $0.size.pixelCount < $1.size.pixelCount } ?? picture
    }
}

extension TIFFPicture {
    /// Returns the scale at which the strips and tiles are decoded, in eighths of full size. For JPEG, it is the
    /// smallest scale that is at least `scale` and at which no pixel lies in two strips or tiles. Other compressions
    /// are always decoded at full size, which is 8.
    func eighths(forScale scale: Double) -> Int {
        guard coding.compression == TIFFCompression.jpeg.rawValue else { return 8 }
        return (1..<8).first { eighths in
            Double(eighths) / 8 >= scale && (columnCount == 1 || blockSize.width * eighths % 8 == 0)
                && (rowCount == 1 || blockSize.height * eighths % 8 == 0)
        } ?? 8
    }
}
