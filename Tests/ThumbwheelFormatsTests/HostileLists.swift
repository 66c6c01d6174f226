/// A megabyte of every kind of list that a head can contain.
enum HostileLists {
    static let byteCount = 1 << 20

    static let all: [(name: String, bytes: @Sendable () -> [UInt8])] = heif + tiff + jpeg + others

    private static func repeated(_ bytes: [UInt8], to count: Int = byteCount) -> [UInt8] {
        var all: [UInt8] = []
        all.reserveCapacity(count + bytes.count)
        while all.count < count { all += bytes }
        return all
    }

    private static func times<Element>(_ count: Int, _ element: Element) -> [Element] {
        [Element](repeating: element, count: count)
    }

    /// Seventy tags, none of them a name.
    static let namelessProfile =
        [UInt8].zeros(16) + .text("RGB ") + .zeros(16) + .text("acsp") + .zeros(88)
        + .big(70, 4) + times(70, [UInt8].text("zzzz") + .zeros(8)).flatMap { $0 }

    private static let alpha = HEIFBytes.fullBox("auxC", .text("urn:x\0"))

    private static let heif: [(name: String, bytes: @Sendable () -> [UInt8])] = [
        (
            "references to the picture, each item with associations without end",
            {
                HEIFLists(
                    properties: [HEIFBytes.size(64, 48), alpha],
                    associations: [(1, [1])] + times(1000, (2, times(255, 2))),
                    references: times(4, ("auxl", 2, times(65_000, 1)))
                ).encoded()
            }
        ),
        (
            "references to another item",
            { HEIFLists(references: times(8, ("cdsc", 2, times(65_000, 3)))).encoded() }
        ),
        (
            "references from items of every number",
            { HEIFLists(references: (0..<65_000).map { ("auxl", $0, [1]) }).encoded() }
        ),
        (
            "a picture multiplied with every alpha",
            { HEIFLists(references: times(8, ("prem", 1, Array(0..<65_000)))).encoded() }
        ),
        (
            "one profile, associated half a million times",
            {
                let profile = HEIFBytes.box("colr", .text("prof") + namelessProfile)
                return HEIFLists(
                    properties: [HEIFBytes.size(64, 48), profile], associations: times(2000, (1, [1] + times(254, 2)))
                ).encoded()
            }
        ),
        (
            "thumbnails with a profile",
            {
                let profile = HEIFBytes.box("colr", .text("prof") + namelessProfile)
                return HEIFLists(
                    properties: [HEIFBytes.size(64, 48), profile],
                    associations: [(1, [1])] + times(1900, (2, [1] + times(254, 2))),
                    references: times(4000, ("thmb", 2, [1])), locations: times(20, (2, 0..<10))
                ).encoded()
            }
        ),
        (
            "profiles, each a property of its own",
            {
                let profile = HEIFBytes.box("colr", .text("prof") + namelessProfile)
                return HEIFLists(
                    properties: [HEIFBytes.size(64, 48)] + times(1000, profile),
                    associations: (0..<4).map { part in (1, (1...250).map { 250 * part + $0 }) }
                ).encoded()
            }
        ),
        (
            "properties",
            {
                HEIFLists(properties: [HEIFBytes.size(64, 48)] + times(3900, HEIFBytes.box("free", .zeros(256))))
                    .encoded()
            }
        ),
        ("items", { HEIFLists(kinds: (0..<50_000).map { ($0, "Exif") }).encoded() }),
        ("places of items", { HEIFLists(kinds: [(9, "Exif")], locations: times(60_000, (2, 0..<10))).encoded() }),
        ("tiles", { HEIFLists(references: times(8, ("dimg", 1, Array(2..<60_000)))).encoded() }),
        (
            "items that are made of each other",
            { HEIFLists(references: (1..<60_000).map { ("dimg", $0, [$0 + 1]) }).encoded() }
        ),
        ("boxes", { HEIFBytes.box("ftyp", .text("heic") + .zeros(4)) + repeated(HEIFBytes.box("free", [])) }),
    ]

    /// A directory of `count` entries that hold one number each.
    private static func directory(_ count: Int, tag: (Int) -> Int = { $0 }) -> [(tag: Int, value: TIFFBytes.Value)] {
        (0..<count).map { (tag($0), .long(3)) }
    }

    private static let page: [(tag: Int, value: TIFFBytes.Value)] = [(0x0100, .long(3)), (0x0101, .long(2))]

    private static let tiff: [(name: String, bytes: @Sendable () -> [UInt8])] = [
        (
            "entries of directories in a chain",
            {
                TIFFBytes(
                    directories: [page] + times(84, directory(1022) { $0 + 0x1000 }),
                    chain: Dictionary(uniqueKeysWithValues: (0..<84).map { ($0, $0 + 1) })
                ).encoded()
            }
        ),
        (
            "directories in a chain",
            {
                var bytes = TIFFBytes(directories: [page]).encoded()
                for _ in 0..<58_000 {
                    // The previous directory ends with the place of the next one, which is here.
                    bytes.replaceSubrange(bytes.count - 4..<bytes.count, with: [UInt8].little(bytes.count, 4))
                    bytes += [1, 0, 0xFE, 0, 4, 0, 1, 0, 0, 0, 1, 0, 0, 0] + .zeros(4)
                }
                return bytes
            }
        ),
        (
            "directories below each other",
            {
                let below = (2..<86).map { directory(1020) { $0 + 0x1000 } + [(0x014A, .directory($0))] }
                return TIFFBytes(directories: [page + [(0x014A, .directory(1))]] + below + [page]).encoded()
            }
        ),
        (
            "reduced pictures that lie in each other",
            {
                let reduced: [(tag: Int, value: TIFFBytes.Value)] = [
                    (0x00FE, .long(1)), (0x0103, .short(7)), (0x0111, .trailer), (0x0117, .long(1_000_000)),
                ]
                return TIFFBytes(
                    directories: [page] + times(30, reduced),
                    chain: Dictionary(uniqueKeysWithValues: (0..<30).map { ($0, $0 + 1) }),
                    trailer: [0xFF, 0xD8] + times(byteCount, 0xFF)
                ).encoded()
            }
        ),
    ]

    private static let frame = JPEGBytes.frame(6, 4)

    private static let jpeg: [(name: String, bytes: @Sendable () -> [UInt8])] = [
        ("segments", { JPEGBytes.start + repeated(JPEGBytes.segment(0xE5, [])) + frame }),
        ("fill bytes", { JPEGBytes.start + times(byteCount, 0xFF) + frame }),
        ("stray bytes", { JPEGBytes.start + [0xFF, 1] + times(byteCount, 1) + frame }),
        (
            "EXIF segments",
            {
                let exif = TIFFBytes(directories: [directory(1000)], chain: [0: 0]).encoded()
                return JPEGBytes.start + repeated(JPEGBytes.exif(exif)) + frame
            }
        ),
        (
            "indexes of pictures",
            {
                let entries = times(3900, [UInt8].little(0x01_0001, 4) + .little(9, 4) + .little(9, 4) + .zeros(4))
                let index = TIFFBytes(directories: [[(0xB002, .undefined(entries.flatMap { $0 }))]])
                return JPEGBytes.start + repeated(JPEGBytes.segment(0xE2, .text("MPF\0") + index.encoded())) + frame
            }
        ),
        (
            "a profile in pieces of a byte",
            {
                let piece = { (index: Int, byte: UInt8) in
                    JPEGBytes.segment(0xE2, .text("ICC_PROFILE\0") + [UInt8(index), 255, byte])
                }
                let front = (0..<254).flatMap { piece($0, namelessProfile[$0]) }
                let rest = JPEGBytes.segment(
                    0xE2, .text("ICC_PROFILE\0") + [254, 255] + namelessProfile.dropFirst(254))
                return JPEGBytes.start + front + rest + repeated(JPEGBytes.segment(0xE2, .zeros(60_000))) + frame
            }
        ),
        (
            "pieces of profiles",
            { JPEGBytes.start + repeated(JPEGBytes.segment(0xE2, .text("ICC_PROFILE\0") + [1, 1, 0, 0])) + frame }
        ),
    ]

    private static let others: [(name: String, bytes: @Sendable () -> [UInt8])] = [
        ("chunks of a PNG", { PNGBytes.header(3, 2) + repeated(PNGBytes.chunk("teXt")) }),
        (
            "EXIF chunks of a PNG",
            {
                let exif = TIFFBytes(
                    directories: [directory(1000) + [(0x8769, .directory(0)), (0xA005, .directory(0))]], chain: [0: 0])
                return PNGBytes.header(3, 2) + repeated(PNGBytes.chunk("eXIf", exif.encoded()))
            }
        ),
        ("profiles of a PNG", { PNGBytes.header(3, 2) + repeated(PNGBytes.chunk("iCCP", times(90, 65))) }),
        ("chunks of a WebP", { webP(repeated(.text("JUNK") + .zeros(4))) }),
        (
            "profiles of a WebP",
            { webP(repeated(.text("ICCP") + .little(namelessProfile.count, 4) + namelessProfile)) }
        ),
        (
            "EXIF chunks of a WebP",
            {
                let exif = TIFFBytes(directories: [directory(1000)], chain: [0: 0]).encoded()
                return webP(repeated(.text("EXIF") + .little(exif.count, 4) + exif))
            }
        ),
        ("frames of a WebP", { webP(repeated(.text("ANMF") + .zeros(4)), flags: 2) }),
        ("blocks of a GIF", { screen + [0x21, 0xFE] + repeated([1, 7]) + [0, 0x3B] }),
        ("extensions of a GIF", { screen + repeated([0x21, 0xF9, 0]) + [0x3B] }),
        ("frames of a GIF", { screen + repeated([0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 0]) + [0x3B] }),
        ("padding of a GIF", { screen + .zeros(byteCount) + [0x3B] }),
        (
            "a long profile of a BMP",
            {
                let header: [UInt8] = .little(124, 4) + .little(3, 4) + .little(2, 4) + [1, 0, 24, 0] + .zeros(40)
                let end: [UInt8] =
                    .little(0x4D42_4544, 4) + .zeros(52) + .little(124, 4) + .little(byteCount, 4) + .zeros(4)
                return .text("BM") + .zeros(12) + header + end + namelessProfile + .zeros(byteCount)
            }
        ),
    ]

    private static let screen: [UInt8] = .text("GIF89a") + [1, 0, 1, 0, 0x80, 0, 0] + .zeros(6)

    private static func webP(_ chunks: [UInt8], flags: UInt8 = 0) -> [UInt8] {
        let front: [UInt8] = .text("WEBPVP8X") + .little(10, 4) + [flags, 0, 0, 0, 2, 0, 0, 1, 0, 0]
        return .text("RIFF") + .little(front.count + chunks.count, 4) + front + chunks
    }
}
