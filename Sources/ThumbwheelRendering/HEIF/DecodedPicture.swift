import ThumbwheelCore

/// A picture in a decoder's own memory. It is valid until the decoder decodes another picture or is released.
package struct DecodedPicture {
    /// A plane of a picture, as rows of samples. A sample takes one byte, or two if it has more than 8 bits.
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

    /// The planes of the picture: luma alone, or luma, blueness (Cb) and redness (Cr). With the matrix code 0, they are
    /// green, blue and red.
    package let planes: [Plane]
    package let bitsPerSample: Int
    /// The code of the colour matrix in the coded data (ITU-T H.273); 2 if the data do not state one.
    package let matrix: UInt16
    /// The codes of the primaries and of the transfer curve in the coded data (ITU-T H.273); 2 if the data do not state
    /// them.
    package let primaries: UInt16
    package let transfer: UInt16
    package let isFullRange: Bool

    /// The number of luma samples for each chroma sample, in each direction: 1 or 2.
    package let subsampling: PixelSize

    package init(
        planes: [Plane], bitsPerSample: Int, matrix: UInt16, primaries: UInt16 = 2, transfer: UInt16 = 2,
        isFullRange: Bool, subsampling: PixelSize
    ) {
        self.planes = planes
        self.bitsPerSample = bitsPerSample
        self.matrix = matrix
        self.primaries = primaries
        self.transfer = transfer
        self.isFullRange = isFullRange
        self.subsampling = subsampling
    }
}

extension PixelSize {
    /// The number of luma samples for each chroma sample, in each direction, for a chroma format of HEVC or AV1 (ITU-T
    /// H.265, 6.2).
    init(chromaFormat: Int) {
        self.init(width: chromaFormat == 1 || chromaFormat == 2 ? 2 : 1, height: chromaFormat == 1 ? 2 : 1)
    }
}
