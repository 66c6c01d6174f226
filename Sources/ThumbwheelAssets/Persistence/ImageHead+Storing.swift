import ThumbwheelCore
import ThumbwheelFormats

extension BlockWriter {
    mutating func write(_ size: PixelSize) {
        write(Int64(size.width))
        write(Int64(size.height))
    }

    mutating func write(_ range: Range<Int>) {
        write(Int64(range.lowerBound))
        write(Int64(range.upperBound))
    }

    mutating func write(_ head: ImageHead) {
        write(head.contentType.rawValue)
        write(head.storedSize)
        write(head.orientation.rawValue)
        write(optional: head.captureDate) { $0.write($1) }
        write(each: head.previews) { $0.write($1) }
        write(optional: head.profile) { writer, profile in
            writer.write(optional: profile.name) { $0.write($1) }
            writer.write(profile.colorSpace)
            writer.write(Int64(profile.byteCount))
        }
        write(optional: head.jpeg) { writer, coding in
            writer.write(coding.process.rawValue)
            writer.write(coding.isArithmetic)
            writer.write(each: coding.samplingFactors) { writer, factor in
                writer.write(Int64(factor.horizontal))
                writer.write(Int64(factor.vertical))
            }
            writer.write(Int64(coding.restartInterval))
        }
        write(head.hasAlpha)
        write(Int64(head.bitsPerChannel))
        write(Int64(head.frameCount))
        write(optional: head.exifColorSpace) { $0.write($1.rawValue) }
        write(optional: head.tiff) { $0.write($1) }
        write(optional: head.heif) { writer, coding in
            writer.write(optional: coding.tileSize) { $0.write($1) }
            writer.write(coding.hasFullChroma)
            writer.write(optional: coding.uncroppedSize) { $0.write($1) }
        }
        write(head.hasPremultipliedAlpha)
        write(optional: head.codedColor) { $0.write($1) }
        write(head.isInterlaced)
        write(head.isLossless)
        write(Int64(head.indexCount))
    }

    private mutating func write(_ coding: TIFFCoding) {
        write(optional: coding.photometricInterpretation) { $0.write($1) }
        write(coding.compression)
        write(coding.samplesPerPixel)
        write(optional: coding.extraSample) { $0.write($1.rawValue) }
        write(optional: coding.rowsPerBlock) { $0.write(Int64($1)) }
    }

    private mutating func write(_ color: CodingIndependentColor) {
        for code in [color.primaries, color.transfer, color.matrix] { write(code) }
        write(color.isFullRange)
    }

    private mutating func write(_ date: CaptureDate) {
        for part in [date.year, date.month, date.day, date.hour, date.minute, date.second, date.millisecond] {
            write(Int64(part))
        }
        write(optional: date.secondsFromGMT) { $0.write(Int64($1)) }
    }

    private mutating func write(_ preview: EmbeddedPreview) {
        write(preview.kind.rawValue)
        write(preview.byteRange)
        write(preview.contentType.rawValue)
        write(optional: preview.pixelSize) { $0.write($1) }
        write(optional: preview.container) { $0.write($1) }
    }
}

extension BlockReader {
    mutating func readPixelSize() throws(LibraryFileError) -> PixelSize {
        PixelSize(width: try readInt(), height: try readInt())
    }

    mutating func readRange() throws(LibraryFileError) -> Range<Int> {
        let (lower, upper) = (try readInt(), try readInt())
        try Self.require(lower <= upper, "a range ends before it begins")
        return lower..<upper
    }

    mutating func readContentType() throws(LibraryFileError) -> ContentType { ContentType(rawValue: try readText()) }

    /// Reads a case of an enumeration. The case is stored as its raw value, a text.
    mutating func readCase<Case: RawRepresentable>(
        _ type: Case.Type = Case.self
    ) throws(LibraryFileError) -> Case where Case.RawValue == String {
        let text = try readText()
        guard let value = Case(rawValue: text) else { throw .malformed(reason: "\(text) is no \(type)") }
        return value
    }

    mutating func readImageHead() throws(LibraryFileError) -> ImageHead {
        var head = ImageHead(contentType: try readContentType(), storedSize: try readPixelSize())
        let orientation = try read(UInt8.self)
        guard let orientation = ImageOrientation(rawValue: orientation) else {
            throw .malformed(reason: "there is no orientation \(orientation)")
        }
        head.orientation = orientation
        head.captureDate = try readOptional { reader throws(LibraryFileError) in try reader.readCaptureDate() }
        head.previews = try readEach(ofAtLeast: 34) { reader throws(LibraryFileError) in try reader.readPreview() }
        head.profile = try readOptional { reader throws(LibraryFileError) in
            EmbeddedProfile(
                name: try reader.readOptional { reader throws(LibraryFileError) in try reader.readText() },
                colorSpace: try reader.readText(), byteCount: try reader.readInt())
        }
        head.jpeg = try readOptional { reader throws(LibraryFileError) in try reader.readJPEGCoding() }
        head.hasAlpha = try readBool()
        head.bitsPerChannel = try readInt()
        head.frameCount = try readInt()
        head.exifColorSpace = try readOptional { reader throws(LibraryFileError) in try reader.readCase() }
        guard version >= 3 else { return head.bounded }
        head.tiff = try readOptional { reader throws(LibraryFileError) in try reader.readTIFFCoding() }
        head.heif = try readOptional { reader throws(LibraryFileError) in
            HEIFCoding(
                tileSize: try reader.readOptional { reader throws(LibraryFileError) in try reader.readPixelSize() },
                hasFullChroma: try reader.readBool(),
                uncroppedSize: reader.version < 7
                    ? nil
                    : try reader.readOptional { reader throws(LibraryFileError) in try reader.readPixelSize() })
        }
        head.hasPremultipliedAlpha = try readBool()
        head.codedColor = try readOptional { reader throws(LibraryFileError) in try reader.readCodedColor() }
        guard version >= 7 else { return head.bounded }
        head.isInterlaced = try readBool()
        head.isLossless = try readBool()
        if version >= 9 { head.indexCount = try readInt() }
        return head.bounded
    }

    private mutating func readTIFFCoding() throws(LibraryFileError) -> TIFFCoding {
        TIFFCoding(
            photometricInterpretation: try readOptional { reader throws(LibraryFileError) in try reader.read() },
            compression: try read(), samplesPerPixel: try read(),
            extraSample: try readOptional { reader throws(LibraryFileError) in try reader.readCase() },
            rowsPerBlock: version < 7
                ? nil : try readOptional { reader throws(LibraryFileError) in try reader.readInt() })
    }

    private mutating func readCodedColor() throws(LibraryFileError) -> CodingIndependentColor {
        CodingIndependentColor(
            primaries: try read(), transfer: try read(), matrix: try read(), isFullRange: try readBool())
    }

    private mutating func readCaptureDate() throws(LibraryFileError) -> CaptureDate {
        CaptureDate(
            year: try readInt(), month: try readInt(), day: try readInt(), hour: try readInt(),
            minute: try readInt(), second: try readInt(), millisecond: try readInt(),
            secondsFromGMT: try readOptional { reader throws(LibraryFileError) in try reader.readInt() })
    }

    private mutating func readPreview() throws(LibraryFileError) -> EmbeddedPreview {
        EmbeddedPreview(
            kind: try readCase(), byteRange: try readRange(), contentType: try readContentType(),
            pixelSize: try readOptional { reader throws(LibraryFileError) in try reader.readPixelSize() },
            container: try readOptional { reader throws(LibraryFileError) in try reader.readRange() })
    }

    private mutating func readJPEGCoding() throws(LibraryFileError) -> JPEGCoding {
        JPEGCoding(
            process: try readCase(), isArithmetic: try readBool(),
            samplingFactors: try readEach(ofAtLeast: 16) { reader throws(LibraryFileError) in
                JPEGCoding.SamplingFactor(horizontal: try reader.readInt(), vertical: try reader.readInt())
            }, restartInterval: try readInt())
    }
}
