import ThumbwheelCore

extension PhotographFacts {
    /// Reads the facts in an image file, within the limits of `ImageHead(reading:)`. Damaged facts count as missing.
    ///
    /// - Parameter filename: the name of the file; nil if it should not be used. The date is read from the name if the
    ///   file's contents state none. The name can also show that the picture is a screenshot.
    /// - Throws: `HeadError`, if the header of the file cannot be read.
    public init(reading source: any ByteSource, filename: String? = nil) throws(HeadError) {
        var reader = HeadReader(source)
        try self.init(&reader, filename: filename)
    }

    init(_ reader: inout HeadReader, filename: String?) throws(HeadError) {
        var metadata = ImageMetadata()
        self.init(head: try ImageHead(&reader, noting: &metadata))
        var finder = PictureKindFinder()
        do throws(HeadError) {
            try read(&reader, metadata, &finder)
        } catch  where error.concernsBytes {
            // The facts that were found before the damage, or before the limit, are kept.
        }
        if let filename {
            finder.add(byName: filename)
            adopt(CaptureDate(filename: filename), from: .filename)
        }
        kinds = finder.kinds
    }

    private mutating func read(
        _ reader: inout HeadReader, _ metadata: ImageMetadata, _ finder: inout PictureKindFinder
    ) throws(HeadError) {
        finder.add(by: head)
        var camera = CameraFacts()
        if let exif = metadata.exif {
            dateSource = exif.dateSource
            if let structure = exif.structure { try reader.prepare(structure.extent) }
            (location, heading) = try exif.place(&reader)
            camera = try CameraFacts(&reader, exif)
        }
        finder.add(by: camera, head)
        burstIdentifier = camera.note?.burst
        contentIdentifier = camera.note?.contentIdentifier
        if let extent = metadata.xmp { take(try XMPPacket(&reader, in: extent), &finder) }
        finder.add(bySoftware: metadata.pngSoftware, of: "PNG")
        if let (date, source) = metadata.pngDates.best { adopt(date, from: source) }
        for kind in metadata.auxiliaryKinds { finder.add(byAuxiliary: kind, of: "HEIF auxiliary item") }
        if let gainMap = metadata.gainMap { finder.add(.highDynamicRange, by: gainMap) }
        try examine(metadata.pictures, &reader, &finder)
    }

    private mutating func take(_ xmp: XMPPacket, _ finder: inout PictureKindFinder) {
        location = location ?? xmp.location
        heading = heading ?? xmp.heading
        adopt(xmp.captureDate, from: .xmp)
        if burstIdentifier == nil, let burst = xmp[.burst] { burstIdentifier = burst }
        representsBurst = xmp[.burstPrimary] == "1"
        finder.add(by: xmp)
    }

    /// Takes a date if no better source has given one.
    private mutating func adopt(_ date: CaptureDate?, from source: DateSource) {
        guard head.captureDate == nil, let date else { return }
        head.captureDate = date
        dateSource = source
    }

    /// The greatest number of pictures after the first in a multi-picture JPEG that are examined. An iPhone writes a
    /// gain map and, for portraits, a map of distances and a matte.
    private static let pictureLimit = 4

    /// Examines the pictures of a multi-picture JPEG. Files of iPhones describe each picture in XMP.
    private func examine(
        _ pictures: [MultiPictureIndex.Entry], _ reader: inout HeadReader, _ finder: inout PictureKindFinder
    ) throws(HeadError) {
        if pictures.contains(where: { $0.type == MultiPictureIndex.Entry.panorama }) {
            finder.add(.panorama, by: "multi-picture index")
        }
        for picture in pictures.filter({ $0.type == MultiPictureIndex.Entry.undefined }).prefix(Self.pictureLimit) {
            guard let place = try JPEGHead.xmp(&reader, in: picture.range) else { continue }
            let xmp = try XMPPacket(&reader, in: place)
            for type in xmp.values[.auxiliaryType] ?? [] { finder.add(byAuxiliary: type, of: "multi-picture JPEG") }
            if xmp[.gainMapVersion] != nil { finder.add(.highDynamicRange, by: "multi-picture JPEG hdrgm:Version") }
        }
    }
}
