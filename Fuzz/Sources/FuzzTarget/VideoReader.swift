import Foundation
import Thumbwheel

/// The heads of videos, and files to begin with.
enum VideoReader {
    static func read(_ bytes: [UInt8]) {
        let source = MemoryByteSource(bytes)
        _ = try? PhotographFacts(readingVideo: source, filename: "VID_20230102_030405.mp4")
        guard let head = try? VideoHead(reading: source) else { return }
        let isStream = head.contentType == .mpeg || head.contentType == .mpegTransportStream
        precondition(
            head.codedSize.isEmpty == isStream && head.displaySize.isEmpty == isStream, "a head without a size")
        let sides = [head.codedSize.width, head.codedSize.height, head.displaySize.width, head.displaySize.height]
        precondition(sides.allSatisfy { $0 <= Int(Int32.max) }, "a side of \(sides)")
        let region = head.visibleRegion
        precondition(
            region.x >= 0 && region.y >= 0 && region.x + region.size.width <= head.codedSize.width
                && region.y + region.size.height <= head.codedSize.height, "a region outside the pictures")
        precondition(0...1e8 ~= head.duration && 0...1e8 ~= head.stillTime ?? 0, "a duration of \(head.duration)")
        precondition(0.001...100_000 ~= head.frameRate ?? 1, "a rate of \(head.frameRate ?? 0)")
        precondition((head.captureDate == nil) == (head.dateSource == nil), "a date without a source")
        if let range = head.cover?.byteRange {
            precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count, "a cover outside its file")
        }
    }

    static func writeSeeds(to folder: String) {
        let seeds = [
            "movie": movie(isLast: false), "last": movie(isLast: true), "fragments": fragments, "matroska": matroska,
            "avi": avi,
        ]
        for (name, bytes) in seeds {
            do {
                try Data(bytes).write(to: URL(filePath: "\(folder)/seed-\(name)"))
            } catch {
                print("there is no \(name) to begin with: \(error)")
            }
        }
    }

    // MARK: MP4 and QuickTime

    private static func big(_ value: Int, _ width: Int = 4) -> [UInt8] {
        (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * (width - 1 - $0))) }
    }

    private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
    private static func text(_ text: String) -> [UInt8] {
        text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    }

    private static func box(_ kind: String, _ parts: [UInt8]...) -> [UInt8] {
        let payload = parts.flatMap(\.self)
        return big(payload.count + 8) + text(kind) + payload
    }

    private static let matrix = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000].flatMap { big($0) }
    private static let front = box("ftyp", text("qt  "), zeros(4), text("qt  "))

    private static func track(_ handler: String, _ entry: [UInt8], _ more: [UInt8] = []) -> [UInt8] {
        let table = box(
            "stbl", box("stsd", zeros(4), big(1), entry), box("stts", zeros(4), big(1), big(300), big(1001)),
            box("stsz", zeros(4), big(1), big(300)))
        return box(
            "trak",
            box("tkhd", big(1), zeros(8), big(1), zeros(4), big(6000), zeros(16), matrix, big(64 << 16), big(48 << 16)),
            box("edts", box("elst", zeros(4), big(2), big(600), big(-1), big(65536), big(600), big(0), big(65536))),
            box(
                "mdia", box("mdhd", zeros(12), big(30000), big(300300), zeros(4)),
                box("hdlr", zeros(8), text(handler), zeros(13)), box("minf", table)), more)
    }

    private static let pictures = track(
        "vide",
        box(
            "avc1", zeros(24), big(64, 2), big(48, 2), zeros(50), box("pasp", big(4), big(3)),
            box("clap", [60, 1, 44, 1, 0, 1, 0, 1].flatMap { big($0) }),
            box("colr", text("nclx"), big(9, 2), big(16, 2), big(9, 2), [0x80])), box("tref", box("chap", big(2))))

    private static let still: [UInt8] = {
        let key = box("keyd", text("mdtacom.apple.quicktime.still-image-time"))
        return track("meta", box("mebx", zeros(8), box("keys", big(key.count + 8), big(1), key)))
    }()

    private static let metadata: [UInt8] = {
        let values: [(String, Int, [UInt8])] = [
            ("com.apple.quicktime.creationdate", 1, text("2023-05-06T09:08:09+0200")),
            ("com.apple.quicktime.location.ISO6709", 1, text("+48.2085+016.3721+171/")),
            ("com.android.capture.fps", 23, [0x43, 0x70, 0, 0]),
        ]
        let keys = values.flatMap { big($0.0.utf8.count + 8) + text("mdta" + $0.0) }
        let items = values.enumerated().flatMap { index, value in
            let data = box("data", big(value.1), zeros(4), value.2)
            return big(data.count + 8) + big(index + 1) + data
        }
        return box(
            "meta", box("hdlr", zeros(8), text("mdta"), zeros(13)), box("keys", zeros(4), big(3), keys),
            box("ilst", items))
    }()

    private static let userData: [UInt8] = {
        let picture: [UInt8] = [
            0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0, 8, 0, 16, 1, 1, 0x11, 0, 0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0,
        ]
        let cover = box("ilst", box("covr", box("data", big(13), zeros(4), picture)))
        let place = text("+48.2+016.3/")
        return box(
            "udta", box("©xyz", big(place.count, 2), zeros(2), place),
            box("loci", zeros(6), text("a\0\0"), [16, 48, 171].flatMap { big($0 << 16) }),
            box("meta", zeros(4), box("hdlr", zeros(8), text("mdir"), zeros(13)), cover))
    }()

    private static func movieBox(_ more: [UInt8] = []) -> [UInt8] {
        let header = box(
            "mvhd", zeros(4), big(0xE000_0000), zeros(4), big(600), big(6000), zeros(16), matrix, zeros(28))
        return box("moov", header, pictures, still, metadata, userData, more)
    }

    private static func movie(isLast: Bool) -> [UInt8] {
        let pixels = box("mdat", zeros(20))
        return front + (isLast ? pixels + movieBox() : movieBox() + pixels)
    }

    private static let fragments: [UInt8] = {
        let extends = box("mvex", box("trex", zeros(4), [1, 1, 1000, 0, 0].flatMap { big($0) }))
        let run = box("trun", big(0x301), big(2), big(8), [1000, 50, 1000, 50].flatMap { big($0) })
        let fragment = box("moof", box("traf", box("tfhd", big(8), big(1), big(1000)), box("tfdt", zeros(8)), run))
        let index = box(
            "sidx", zeros(4), [1, 1000, 0, 0, 1].flatMap { big($0) }, big(fragment.count), big(2000), zeros(4))
        let table = box("tfra", zeros(4), big(1), zeros(4), big(1), zeros(8), [1, 1, 1])
        return front + movieBox(extends) + index + fragment + box("mdat", zeros(8))
            + box("mfra", table, box("mfro", zeros(4), big(table.count + 24)))
    }()

    // MARK: Matroska

    private static func element(_ id: Int, _ parts: [UInt8]...) -> [UInt8] {
        let payload = parts.flatMap(\.self)
        return big(id, 8 - id.leadingZeroBitCount / 8) + big(1 << 56 | payload.count, 8) + payload
    }

    private static let matroska: [UInt8] = {
        let video = element(
            0xE0, element(0xB0, big(64)), element(0xBA, big(48)), element(0x54B0, big(80)), element(0x54BA, big(48)),
            element(0x54AA, big(2)), element(0x55B0, element(0x55BA, big(16))),
            element(0x7670, element(0x7675, [0x42, 0xB4, 0, 0])))
        let track = element(
            0xAE, element(0x83, [1]), element(0x86, text("V_VP9")), element(0x23E383, big(40_000_000)), video)
        let info = element(
            0x1549_A966, element(0x2AD7B1, big(1_000_000)), element(0x4489, [0x46, 0x1C, 0x40, 0]),
            element(0x4461, big(1 << 58, 8)))
        let tags = element(
            0x1254_C367,
            element(0x7373, element(0x67C8, element(0x45A3, text("LOCATION")), element(0x4487, text("+48+16/")))))
        let file = element(
            0x1941_A469,
            element(
                0x61A7, element(0x466E, text("cover.png")),
                element(0x465C, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], zeros(30))))
        let seek = element(0x114D_9B74, element(0x4DBB, element(0x53AB, big(0x1254_C367)), element(0x53AC, big(300))))
        return element(0x1A45_DFA3, element(0x4282, text("matroska")))
            + element(0x1853_8067, seek, info, element(0x1654_AE6B, track), tags, file, element(0x1F43_B675, zeros(8)))
    }()

    // MARK: AVI

    private static func chunk(_ kind: String, _ payload: [UInt8]) -> [UInt8] {
        text(kind) + big(payload.count).reversed() + payload
    }

    private static let avi: [UInt8] = {
        func numbers(_ numbers: Int...) -> [UInt8] { numbers.flatMap { big($0).reversed() } }
        let main = chunk("avih", numbers(40_000, 0, 0, 16, 250, 0, 2, 0, 64, 48, 0, 0, 0, 0))
        let header = chunk("strh", text("vidsxvid") + numbers(0, 0, 0, 1, 25, 0, 250, 0, 0, 0, 0, 0))
        let format = chunk("strf", numbers(40, 64, 48, 0x180001) + text("XVID") + numbers(0, 0, 0, 0, 0))
        let shape = chunk("vprp", numbers(0, 0, 25, 0, 0, 0x40003, 64, 48, 1))
        let lists =
            main + chunk("LIST", text("strl") + header + format + shape)
            + chunk("LIST", text("odml") + chunk("dmlh", numbers(250)))
            + chunk("IDIT", text("Mon Mar 10 15:04:43 2003\n\0"))
        return chunk(
            "RIFF",
            text("AVI ") + chunk("LIST", text("hdrl") + lists)
                + chunk("LIST", text("INFO") + chunk("ICRD", text("2003-03-10")))
                + chunk("LIST", text("movi") + zeros(8)))
    }()
}
