import ThumbwheelCore

/// Reads the header of a JPEG by following its marker segments up to the first scan (ITU-T T.81, annex B).
struct JPEGHead: HeadFormat {
    static let contentTypes: [ContentType] = [.jpeg]

    static func contentType(of start: FileStart) -> ContentType? {
        start.has([0xFF, 0xD8, 0xFF]) ? .jpeg : nil
    }

    private var frame: Frame?
    private var restartInterval = 0
    private var usesArithmeticConditioning = false
    private var exif: EXIF?
    private var profileChunks: [(sequence: Int, range: Range<Int>)] = []
    private var pictures: [MultiPictureIndex.Entry]?
    private var xmp: Range<Int>?
    private var hasGainMap = false
    // The range of the JPEG in the source, and whether the JPEG is the whole file. If it is, its metadata are read as
    // well.
    private let extent: Range<Int>
    private let isWholeFile: Bool

    private init(in extent: Range<Int>, isWholeFile: Bool) {
        self.extent = extent
        self.isWholeFile = isWholeFile
    }

    /// The text before an XMP packet (ISO 16684-3, 5.2.1).
    private static let xmpMark: StaticString = "http://ns.adobe.com/xap/1.0/\0"

    /// The text of the segments that describe a gain map (ISO 21496-1, annex C).
    private static let gainMapMark: StaticString = "urn:iso:std:iso:ts:21496:-1\0"

    private struct Frame {
        var size: PixelSize
        var precision: Int
        var process: JPEGCoding.Process
        var isArithmetic: Bool
        var samplingFactors: [JPEGCoding.SamplingFactor]
    }

    static func read(
        _ reader: inout HeadReader, as type: ContentType, noting metadata: inout ImageMetadata
    ) throws(HeadError) -> ImageHead {
        var head = JPEGHead(in: reader.extent, isWholeFile: true)
        do throws(HeadError) {
            try head.readSegments(&reader)
        } catch  where error.concernsBytes && head.frame != nil {
            // The damage comes after the frame header, so the size is known. Only the decoder can find out how much of
            // the image can be shown.
        }
        guard let frame = head.frame else { throw .malformed(reason: "no frame header before the first scan") }
        let profile = try ICCProfile(extents: head.orderedProfileChunks).describe(&reader)
        let exif = head.exif ?? EXIF()
        metadata.exif = head.exif
        metadata.xmp = head.xmp
        metadata.pictures = head.pictures ?? []
        if head.hasGainMap { metadata.gainMap = "ISO 21496-1 segment" }
        return ImageHead(
            contentType: .jpeg, storedSize: frame.size, orientation: exif.orientation, captureDate: exif.captureDate,
            previews: [exif.preview].compactMap(\.self) + metadata.pictures.compactMap(\.preview), profile: profile,
            jpeg: head.coding(of: frame), bitsPerChannel: frame.precision, exifColorSpace: exif.colorSpace)
    }

    /// Reads the size and the coding of a JPEG inside another file; nil if they are not found near its beginning. The
    /// JPEG's own metadata are skipped: a preview's EXIF block may contain a preview again, and so on without end.
    static func picture(
        _ reader: inout HeadReader, in range: Range<Int>, searching limit: Int = 8 << 10
    ) throws(HeadError) -> (size: PixelSize, bitsPerChannel: Int, coding: JPEGCoding)? {
        let extent = range.lowerBound..<min(range.upperBound, range.lowerBound + limit)
        var head = JPEGHead(in: extent, isWholeFile: false)
        do throws(HeadError) {
            try head.readSegments(&reader)
        } catch  where error.concernsBytes {
            // The frame header may have come before the damage.
        }
        guard let frame = head.frame else { return nil }
        return (frame.size, frame.precision, head.coding(of: frame))
    }

    /// Returns the place of the XMP packet of a JPEG inside another file; nil if it is not found near its beginning.
    static func xmp(_ reader: inout HeadReader, in range: Range<Int>) throws(HeadError) -> Range<Int>? {
        var head = JPEGHead(in: range, isWholeFile: true)
        do throws(HeadError) {
            try head.readSegments(&reader)
        } catch  where error.concernsBytes {
            // The packet may have come before the damage.
        }
        return head.xmp
    }

    private func coding(of frame: Frame) -> JPEGCoding {
        JPEGCoding(
            process: frame.process, isArithmetic: frame.isArithmetic || usesArithmeticConditioning,
            samplingFactors: frame.samplingFactors, restartInterval: restartInterval)
    }

    private mutating func readSegments(_ reader: inout HeadReader) throws(HeadError) {
        var position = try extent.suffix(at: 2).lowerBound
        while isWholeFile || frame == nil {
            try reader.enterPart()
            // Fill bytes and stray bytes before a marker are skipped, as every decoder does.
            position = try place(&reader, of: 0xFF, isWanted: true, from: position)
            position = try place(&reader, of: 0xFF, isWanted: false, from: position)
            let marker = try reader.byte(at: position)
            position += 1
            switch marker {
            case 0xD9, 0xDA:
                return
            case 0x00, 0x01, 0xD0...0xD8:
                continue
            default:
                let length = try reader.integer(at: position, width: 2)
                guard length >= 2 else { throw .malformed(reason: "a segment of \(length) bytes") }
                let segment = try reader.extent.subrange(at: position, count: length)
                let payload = try segment.suffix(at: 2)
                try read(&reader, marker: marker, payload)
                if isWholeFile { try readMetadata(&reader, marker: marker, payload) }
                position = segment.upperBound
            }
        }
    }

    private func place(
        _ reader: inout HeadReader, of byte: UInt8, isWanted: Bool, from start: Int
    ) throws(HeadError) -> Int {
        guard start < extent.upperBound,
            let place = try reader.firstPlace(of: byte, isWanted: isWanted, in: start..<extent.upperBound)
        else { throw .truncated }
        return place
    }

    private mutating func read(
        _ reader: inout HeadReader, marker: UInt8, _ payload: Range<Int>
    ) throws(HeadError) {
        switch marker {
        case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
            if frame == nil { frame = try Self.frame(&reader, marker: marker, payload) }
        case 0xCC:
            usesArithmeticConditioning = true
        case 0xDD:
            restartInterval = try reader.integer(at: payload.subrange(at: 0, count: 2).lowerBound, width: 2)
        default:
            break
        }
    }

    private mutating func readMetadata(
        _ reader: inout HeadReader, marker: UInt8, _ payload: Range<Int>
    ) throws(HeadError) {
        switch marker {
        case 0xE1 where payload.count > 6:
            if try reader.matches("Exif\0", at: payload.lowerBound) {
                if exif == nil { exif = try EXIF(&reader, in: payload) }
            } else if xmp == nil, try reader.matches(Self.xmpMark, at: payload.lowerBound) {
                xmp = try? payload.suffix(at: Self.xmpMark.utf8CodeUnitCount)
            }
        case 0xE2 where payload.count > 14:
            if try reader.matches("ICC_PROFILE\0", at: payload.lowerBound) {
                let sequence = try reader.integer(at: payload.lowerBound + 12, width: 1)
                // The format numbers the chunks of a profile with one byte, so more than 255 chunks are a mistake and
                // are not stored.
                if profileChunks.count < 255 { profileChunks.append((sequence, try payload.suffix(at: 14))) }
            } else if try reader.matches("MPF\0", at: payload.lowerBound) {
                if pictures == nil { pictures = try MultiPictureIndex.entries(&reader, in: payload.suffix(at: 4)) }
            } else if try reader.matches(Self.gainMapMark, at: payload.lowerBound) {
                hasGainMap = true
            }
        default:
            break
        }
    }

    private var orderedProfileChunks: [Range<Int>] {
        profileChunks.sorted { $0.sequence < $1.sequence }.map(\.range)
    }

    private static func frame(
        _ reader: inout HeadReader, marker: UInt8, _ payload: Range<Int>
    ) throws(HeadError) -> Frame {
        var cursor = HeadCursor(payload)
        let precision = try cursor.integer(1, from: &reader)
        let height = try cursor.integer(2, from: &reader)
        let width = try cursor.integer(2, from: &reader)
        let componentCount = try cursor.integer(1, from: &reader)
        guard height > 0 else { throw .malformed(reason: "a height that only follows the first scan (DNL)") }
        guard width > 0, 2...16 ~= precision, componentCount > 0, cursor.rest.count == 3 * componentCount else {
            throw .malformed(reason: "a frame of \(width) columns and \(componentCount) components")
        }
        var factors: [JPEGCoding.SamplingFactor] = []
        for _ in 0..<componentCount {
            try cursor.skip(1)
            let factor = try cursor.integer(1, from: &reader)
            guard 1...4 ~= factor >> 4, 1...4 ~= factor & 15 else {
                throw .malformed(reason: "sampling factors \(factor >> 4) and \(factor & 15)")
            }
            factors.append(JPEGCoding.SamplingFactor(horizontal: factor >> 4, vertical: factor & 15))
            try cursor.skip(1)
        }
        let process: JPEGCoding.Process =
            switch marker {
            case 0xC0: .baseline
            case 0xC1, 0xC9: .extendedSequential
            case 0xC2, 0xCA: .progressive
            case 0xC3, 0xCB: .lossless
            default: .hierarchical
            }
        return Frame(
            size: PixelSize(width: width, height: height), precision: precision, process: process,
            isArithmetic: marker >= 0xC9, samplingFactors: factors)
    }
}
