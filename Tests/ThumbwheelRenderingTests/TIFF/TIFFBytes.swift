/// A TIFF of one strip whose pixels are all equal, built field by field (TIFF 6.0).
struct TIFFBytes {
    /// Samples of the one colour, in the file's own values.
    var pixel: [Int]
    var photometric: Int
    var bits = 8
    var compression = 1
    /// Nil for a file that declares no extra samples.
    var extraSamples: [Int]?
    /// The ratios of luma to chroma; nil for a file that states none, which means 2 and 2.
    var subsampling: [Int]?
    var profile: [UInt8] = []

    static let side = 16

    func encoded() -> [UInt8] {
        func little(_ value: Int, _ count: Int) -> [UInt8] { BMPTests.little(value, count) }
        let sampleBytes = pixel.flatMap { little($0, bits / 8) }
        let strip = [[UInt8]](repeating: sampleBytes, count: Self.side * Self.side).flatMap { $0 }
        // Values take two bytes each, except for the profile's single bytes.
        var fields: [(tag: Int, values: [Int])] = [
            (0x100, [Self.side]), (0x101, [Self.side]), (0x102, pixel.map { _ in bits }), (0x103, [compression]),
            (0x106, [photometric]), (0x111, [0]), (0x115, [pixel.count]), (0x116, [Self.side]), (0x117, [strip.count]),
        ]
        if let extraSamples { fields.append((0x152, extraSamples)) }
        if let subsampling { fields.append((0x212, subsampling)) }
        if !profile.isEmpty { fields.append((0x8773, [])) }
        fields.sort { $0.tag < $1.tag }
        let lists = 8 + 2 + 12 * fields.count + 4
        var behind: [UInt8] = []
        var entries: [UInt8] = []
        let stripPlace = lists + 2 * pixel.count + 2 * (extraSamples?.count ?? 0) + profile.count
        for field in fields {
            let isProfile = field.tag == 0x8773
            var values = field.tag == 0x111 ? little(stripPlace, 4) : field.values.flatMap { little($0, 2) }
            if isProfile { values = profile }
            let kind = isProfile ? 7 : field.tag == 0x111 ? 4 : 3
            let count = isProfile ? profile.count : max(1, field.values.count)
            entries += little(field.tag, 2) + little(kind, 2) + little(count, 4)
            if values.count <= 4 {
                entries += values + [UInt8](repeating: 0, count: 4 - values.count)
            } else {
                entries += little(lists + behind.count, 4)
                behind += values
            }
        }
        let gap = [UInt8](repeating: 0, count: stripPlace - lists - behind.count)
        return [0x49, 0x49, 42, 0] + little(8, 4) + little(fields.count, 2) + entries + little(0, 4) + behind + gap
            + strip
    }
}
