/// A Matroska or WebM file, written element by element.
package struct MatroskaFile {
    package var docType = "matroska"
    /// Whether the sizes of the segment and of its clusters are stated.
    package var statesSizes = true
    /// The length in units of the scale.
    package var duration: Double? = 10_000
    package var scale: Int? = 1_000_000
    /// Nanoseconds since the beginning of 2001.
    package var date: Int?
    package var tracks: [[UInt8]] = [MatroskaFile.video()]
    /// Names and values.
    package var tags: [(name: String, value: String)] = []
    package var attachments: [(name: String, data: [UInt8])] = []
    /// Whether tracks, tags and attachments lie behind the pictures, where a list at the front points to them.
    package var isMetadataLast = false
    package var pixelCount = 1000

    package init() {}

    /// An element.
    package static func element(_ id: Int, _ payload: [UInt8], statesSize: Bool = true) -> [UInt8] {
        let width = (8 - id.leadingZeroBitCount / 8)
        let size = statesSize ? BoxBytes.big(1 << 56 | payload.count, 8) : [0x01] + [UInt8](repeating: 0xFF, count: 7)
        return BoxBytes.big(id, width) + size + payload
    }

    package static func integer(_ id: Int, _ value: Int, _ width: Int = 4) -> [UInt8] {
        element(id, BoxBytes.big(value, width))
    }

    package static func number(_ id: Int, _ value: Double) -> [UInt8] {
        element(id, BoxBytes.big(Int(bitPattern: UInt(value.bitPattern)), 8))
    }

    /// A track of pictures.
    ///
    /// - Parameters:
    ///   - pictureDuration: the length of a picture in nanoseconds.
    ///   - fields: further fields of the description of the pictures.
    package static func video(
        codec: String = "V_VP9", _ width: Int = 1920, _ height: Int = 1080, pictureDuration: Int = 40_000_000,
        fields: [UInt8] = []
    ) -> [UInt8] {
        element(
            0xAE,
            integer(0xD7, 1) + integer(0x83, 1, 1) + element(0x86, [UInt8](codec.utf8))
                + (pictureDuration > 0 ? integer(0x23E383, pictureDuration) : [])
                + element(0xE0, integer(0xB0, width) + integer(0xBA, height) + fields))
    }

    /// A track of sound.
    package static let sound = element(
        0xAE, integer(0xD7, 2) + integer(0x83, 2, 1) + element(0x86, [UInt8]("A_OPUS".utf8)))

    package func encoded() -> [UInt8] {
        let header = Self.element(0x1A45_DFA3, Self.integer(0x4286, 1) + Self.element(0x4282, [UInt8](docType.utf8)))
        let rest: [(id: Int, bytes: [UInt8])] = [
            (0x1654_AE6B, Self.element(0x1654_AE6B, tracks.flatMap(\.self))), (0x1254_C367, tagList),
            (0x1941_A469, attachmentList),
        ].filter { !$0.bytes.isEmpty }
        let cluster = Self.element(0x1F43_B675, [UInt8](repeating: 0xA5, count: pixelCount), statesSize: statesSizes)
        var segment = info
        if isMetadataLast {
            // The length of the list does not depend on the places in it.
            var place = segment.count + Self.list(rest.map { ($0.id, 0) }).count + cluster.count
            var places: [(Int, Int)] = []
            for (id, bytes) in rest {
                places.append((id, place))
                place += bytes.count
            }
            segment += Self.list(places) + cluster + rest.flatMap(\.bytes)
        } else {
            segment += rest.flatMap(\.bytes) + cluster
        }
        return header + Self.element(0x1853_8067, segment, statesSize: statesSizes)
    }

    private var info: [UInt8] {
        let scale = self.scale.map { Self.integer(0x2AD7B1, $0) } ?? []
        let duration = self.duration.map { Self.number(0x4489, $0) } ?? []
        let date = self.date.map { Self.integer(0x4461, $0, 8) } ?? []
        return Self.element(0x1549_A966, scale + duration + date)
    }

    private static func list(_ places: [(id: Int, place: Int)]) -> [UInt8] {
        element(
            0x114D_9B74,
            places.flatMap { element(0x4DBB, integer(0x53AB, $0.id) + integer(0x53AC, $0.place, 8)) })
    }

    private var tagList: [UInt8] {
        if tags.isEmpty { return [] }
        let simple = tags.flatMap { tag in
            Self.element(
                0x67C8, Self.element(0x45A3, [UInt8](tag.name.utf8)) + Self.element(0x4487, [UInt8](tag.value.utf8)))
        }
        return Self.element(0x1254_C367, Self.element(0x7373, Self.element(0x63C0, []) + simple))
    }

    private var attachmentList: [UInt8] {
        if attachments.isEmpty { return [] }
        let files = attachments.flatMap { file in
            Self.element(0x61A7, Self.element(0x466E, [UInt8](file.name.utf8)) + Self.element(0x465C, file.data))
        }
        return Self.element(0x1941_A469, files)
    }
}
