import ThumbwheelCore

/// A picture in a decoder's own memory. It is valid until the decoder decodes another or goes away.
package struct DecodedPicture {
    /// Rows of samples of one byte each, or two if there are more than 8 bits.
    package struct Plane {
        package let samples: UnsafeRawPointer
        package let bytesPerRow: Int
        package let size: PixelSize

        package init(samples: UnsafeRawPointer, bytesPerRow: Int, size: PixelSize) {
            self.samples = samples
            self.bytesPerRow = bytesPerRow
            self.size = size
        }
    }

    /// Luma alone, or luma, blueness and redness.
    package let planes: [Plane]
    package let bitsPerSample: Int
    /// The code of the matrix in the coded data (ITU-T H.273); 2 if it says nothing.
    package let matrix: UInt16
    package let isFullRange: Bool

    /// The samples of luma over one of chroma, each way: 1 or 2.
    package let subsampling: PixelSize

    package init(planes: [Plane], bitsPerSample: Int, matrix: UInt16, isFullRange: Bool, subsampling: PixelSize) {
        self.planes = planes
        self.bitsPerSample = bitsPerSample
        self.matrix = matrix
        self.isFullRange = isFullRange
        self.subsampling = subsampling
    }
}

extension PixelSize {
    /// The samples of luma over one of chroma in a chroma format of HEVC and AV1 (ITU-T H.265, 6.2).
    init(chromaFormat: Int) {
        self.init(width: chromaFormat == 1 || chromaFormat == 2 ? 2 : 1, height: chromaFormat == 1 ? 2 : 1)
    }
}
