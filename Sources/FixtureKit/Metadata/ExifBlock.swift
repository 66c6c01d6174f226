/// The metadata that a camera writes, as far as a photo library reads it (EXIF 2.32).
package struct ExifBlock: Sendable, Hashable {
    package var byteOrder: ByteOrder
    package var make: String?
    package var model: String?
    /// 1...8, or nil to leave the tag out.
    package var orientation: Int?
    /// "2021:07:14 16:05:09", the local time.
    package var dateTimeOriginal: String?
    /// "+02:00".
    package var offsetTimeOriginal: String?
    /// Digits after the decimal point of the second.
    package var subSecTimeOriginal: String?
    package var location: Location?
    /// The size of the picture as stored.
    package var pixelWidth: Int?
    package var pixelHeight: Int?
    /// 1 is sRGB, 65535 is anything else.
    package var colorSpace: Int?
    /// A whole JPEG file of 160 x 120, stored like the picture itself, in the second directory.
    package var preview: [UInt8]?

    package init(
        byteOrder: ByteOrder = .littleEndian, make: String? = nil, model: String? = nil, orientation: Int? = nil,
        dateTimeOriginal: String? = nil, offsetTimeOriginal: String? = nil, subSecTimeOriginal: String? = nil,
        location: Location? = nil, pixelWidth: Int? = nil, pixelHeight: Int? = nil, colorSpace: Int? = nil,
        preview: [UInt8]? = nil
    ) {
        self.byteOrder = byteOrder
        self.make = make
        self.model = model
        self.orientation = orientation
        self.dateTimeOriginal = dateTimeOriginal
        self.offsetTimeOriginal = offsetTimeOriginal
        self.subSecTimeOriginal = subSecTimeOriginal
        self.location = location
        self.pixelWidth = pixelWidth
        self.pixelHeight = pixelHeight
        self.colorSpace = colorSpace
        self.preview = preview
    }

    /// Where a picture was taken, in ten-thousandths of a degree, north and east being positive.
    package struct Location: Sendable, Hashable {
        package var latitude: Int
        package var longitude: Int

        package init(latitude: Int, longitude: Int) {
            self.latitude = latitude
            self.longitude = longitude
        }
    }

    /// The payload of a JPEG's APP1 segment: the signature and the TIFF stream.
    package var app1: [UInt8] { Array("Exif".utf8) + [0, 0] + tiff }

    /// The TIFF stream that APP1, WebP, PNG and HEIF have in common.
    package var tiff: [UInt8] {
        var first = camera
        let exif = exposure
        let gps = location.map(Self.gps)
        // The offsets of the sub-directories depend on the first directory's size, which does not depend on them.
        first[0x8769] = .longs([0])
        if gps != nil { first[0x8825] = .longs([0]) }
        let exifOffset = 8 + first.byteCount(byteOrder)
        let gpsOffset = exifOffset + exif.byteCount(byteOrder)
        let secondOffset = gpsOffset + (gps?.byteCount(byteOrder) ?? 0)
        first[0x8769] = .longs([UInt32(exifOffset)])
        if gps != nil { first[0x8825] = .longs([UInt32(gpsOffset)]) }

        var stream = TIFFDirectory.header(byteOrder)
        stream += first.encoded(at: 8, next: preview == nil ? 0 : secondOffset, order: byteOrder)
        stream += exif.encoded(at: exifOffset, next: 0, order: byteOrder)
        if let gps { stream += gps.encoded(at: gpsOffset, next: 0, order: byteOrder) }
        if let preview { stream += previewDirectory(preview, at: secondOffset) + preview }
        return stream
    }
}
