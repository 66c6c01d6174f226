/// Lays out a TIFF structure: directories one after the other, each with its long values behind it.
struct TIFFBytes {
    enum Value {
        case short(Int)
        case long(Int)
        case text(String)
        case undefined([UInt8])
        case byte(UInt8)
        /// Numerators and denominators.
        case fractions([(Int, Int)])
        /// The offset of another directory, by its index.
        case directory(Int)
        /// The offset of `trailer`.
        case trailer
        /// The offset of a place in `trailer`.
        case trailerPlace(Int)
    }

    var isBigEndian = false
    var isBigTIFF = false
    var directories: [[(tag: Int, value: Value)]]
    /// Which directory follows which in the chain.
    var chain: [Int: Int] = [:]
    var trailer: [UInt8] = []

    func integer(_ value: Int, _ width: Int) -> [UInt8] {
        isBigEndian ? .big(value, width) : .little(value, width)
    }

    func encoded() -> [UInt8] {
        let width = isBigTIFF ? 8 : 4
        var offsets: [Int] = []
        var end = isBigTIFF ? 16 : 8
        for directory in directories {
            offsets.append(end)
            end += fixedSize(directory) + directory.map { longSize($0.value) }.reduce(0, +)
        }
        var bytes: [UInt8] = .text(isBigEndian ? "MM" : "II")
        bytes += isBigTIFF ? integer(43, 2) + integer(8, 2) + integer(0, 2) : integer(42, 2)
        bytes += integer(offsets.first ?? 0, width)
        for (index, directory) in directories.enumerated() {
            var long: [UInt8] = []
            let longStart = bytes.count + fixedSize(directory)
            bytes += integer(directory.count, isBigTIFF ? 8 : 2)
            for (tag, value) in directory {
                let (kind, count, data) = encoded(value, offsets: offsets, end: end)
                bytes += integer(tag, 2) + integer(kind, 2) + integer(count, width)
                if data.count <= width {
                    bytes += data + .zeros(width - data.count)
                } else {
                    bytes += integer(longStart + long.count, width)
                    long += data
                }
            }
            bytes += integer(chain[index].map { offsets[$0] } ?? 0, width) + long
        }
        return bytes + trailer
    }

    private func fixedSize(_ directory: [(tag: Int, value: Value)]) -> Int {
        isBigTIFF ? 16 + 20 * directory.count : 6 + 12 * directory.count
    }

    private func longSize(_ value: Value) -> Int {
        let count = encoded(value, offsets: [Int](repeating: 0, count: directories.count), end: 0).data.count
        return count <= (isBigTIFF ? 8 : 4) ? 0 : count
    }

    private func encoded(_ value: Value, offsets: [Int], end: Int) -> (kind: Int, count: Int, data: [UInt8]) {
        switch value {
        case .short(let number): (3, 1, integer(number, 2))
        case .long(let number): (4, 1, integer(number, 4))
        case .text(let text): (2, text.utf8.count + 1, .text(text) + [0])
        case .undefined(let bytes): (7, bytes.count, bytes)
        case .byte(let byte): (1, 1, [byte])
        case .fractions(let fractions):
            (5, fractions.count, fractions.flatMap { integer($0.0, 4) + integer($0.1, 4) })
        case .directory(let index): (4, 1, integer(offsets[index], 4))
        case .trailer: (4, 1, integer(end, 4))
        case .trailerPlace(let place): (4, 1, integer(end + place, 4))
        }
    }
}

extension TIFFBytes {
    /// An EXIF block as a camera writes it: orientation, dates, Adobe RGB by interoperability index, a preview.
    static func exif(isBigEndian: Bool = false, orientation: Int = 6, preview: [UInt8] = [0xFF, 0xD8, 0xFF, 0xDB, 0])
        -> [UInt8]
    {
        TIFFBytes(
            isBigEndian: isBigEndian,
            directories: [
                [(0x0112, .short(orientation)), (0x0132, .text("2021:01:01 00:00:00")), (0x8769, .directory(1))],
                [
                    (0x9003, .text("2008:05:30 15:56:01")), (0x9011, .text("+02:00")), (0x9291, .text("45")),
                    (0xA001, .short(0xFFFF)), (0xA005, .directory(2)),
                ],
                [(0x0001, .text("R03"))],
                [(0x0103, .short(6)), (0x0201, .trailer), (0x0202, .long(preview.count))],
            ],
            chain: [0: 3], trailer: preview
        ).encoded()
    }
}
