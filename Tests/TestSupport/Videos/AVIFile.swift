/// An AVI file, written chunk by chunk.
package struct AVIFile {
    /// The length of a picture in microseconds, and the number of pictures, by the main header.
    package var pictureDuration = 40_000
    package var pictureCount = 250
    package var size = (width: 640, height: 480)
    package var handler = "xvid"
    package var compression = "XVID"
    /// The pictures' length in units, the units in a second, and the number of pictures, by the header of the stream.
    package var scale = 1
    package var rate = 25
    package var streamCount = 250
    package var hasSound = true
    /// The format of the sound.
    package var soundFormat = [UInt8](repeating: 0, count: 18)
    /// The sides' ratio in which pictures are shown.
    package var aspect: (width: Int, height: Int)?
    /// The number of pictures in all parts of a large file.
    package var extendedCount: Int?
    package var recordedText: String?
    package var createdText: String?
    package var pixelCount = 1000

    package init() {}

    package static func little(_ value: Int, _ width: Int) -> [UInt8] { BoxBytes.big(value, width).reversed() }

    package static func chunk(_ kind: String, _ payload: [UInt8]) -> [UInt8] {
        BoxBytes.kind(kind) + little(payload.count, 4) + payload + (payload.count % 2 == 1 ? [0] : [])
    }

    package static func list(_ kind: String, _ payload: [UInt8], as list: String = "LIST") -> [UInt8] {
        chunk(list, BoxBytes.kind(kind) + payload)
    }

    private static func numbers(_ numbers: [Int]) -> [UInt8] { numbers.flatMap { little($0, 4) } }

    package func encoded() -> [UInt8] {
        let main = Self.chunk(
            "avih",
            Self.numbers([pictureDuration, 0, 0, 0x10, pictureCount, 0, 2, 0, size.width, size.height, 0, 0, 0, 0]))
        var headers = main + Self.list("strl", pictures)
        if hasSound { headers += Self.list("strl", sound) }
        if let extendedCount { headers += Self.list("odml", Self.chunk("dmlh", Self.numbers([extendedCount]))) }
        if let recordedText { headers += Self.chunk("IDIT", BoxBytes.kind(recordedText) + [0x0A, 0]) }
        var contents = Self.list("hdrl", headers)
        if let createdText { contents += Self.list("INFO", Self.chunk("ICRD", BoxBytes.kind(createdText) + [0])) }
        return Self.list("AVI ", contents + Self.list("movi", [UInt8](repeating: 0xA5, count: pixelCount)), as: "RIFF")
    }

    private var pictures: [UInt8] {
        let header =
            BoxBytes.kind("vids" + handler) + Self.numbers([0, 0, 0, scale, rate, 0, streamCount, 0, 0, 0, 0, 0])
        let format = Self.numbers([40, size.width, size.height, 0x0018_0001]) + BoxBytes.kind(compression)
        let shape = aspect.map {
            Self.chunk("vprp", Self.numbers([0, 0, 25, 0, 0, $0.width << 16 | $0.height, size.width, size.height, 1]))
        }
        return Self.chunk("strh", header) + Self.chunk("strf", format + Self.numbers([0, 0, 0, 0, 0])) + (shape ?? [])
    }

    private var sound: [UInt8] {
        Self.chunk("strh", BoxBytes.kind("auds") + Self.numbers([0, 0, 0, 0, 1, 44_100, 0, 441_000, 0, 0, 0, 0, 0]))
            + Self.chunk("strf", soundFormat)
    }
}
