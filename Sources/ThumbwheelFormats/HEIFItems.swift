/// The items of a HEIF file's `meta` box: the picture, the items that it is made of, and the items that belong to it.
///
/// Each list is walked once, however many items are looked for.
struct HEIFItems {
    private let boxes: HEIFBoxes
    /// The number of the item that is the photograph (the primary item).
    let primary: Int

    init(_ reader: inout HeadReader, meta: Range<Int>) throws(HeadError) {
        // `meta` is a full box: its contents begin with four bytes of version and flags.
        boxes = try HEIFBoxes(&reader, in: meta.suffix(at: 4))
        guard let box = boxes["pitm"] else { throw .malformed(reason: "no primary item") }
        var cursor = HeadCursor(box)
        let version = try cursor.versionAndFlags(from: &reader).version
        primary = try cursor.integer(version == 0 ? 2 : 4, from: &reader)
    }

    /// Returns the four-letter type of each item (`infe`).
    func kinds(_ reader: inout HeadReader) throws(HeadError) -> [Int: FourCharacterCode] {
        guard let box = boxes["iinf"] else { return [:] }
        var cursor = HeadCursor(box)
        let version = try cursor.versionAndFlags(from: &reader).version
        try cursor.skip(version == 0 ? 2 : 4)
        var kinds: [Int: FourCharacterCode] = [:]
        var walk = HEIFBoxWalk(cursor.rest)
        while let entry = try walk.next(&reader) {
            guard entry.kind == "infe" else { continue }
            var cursor = HeadCursor(entry.payload)
            let version = try cursor.versionAndFlags(from: &reader).version
            // Entries before version 2 have names for the items, not types.
            guard version >= 2 else { continue }
            let item = try cursor.integer(version == 2 ? 2 : 4, from: &reader)
            try cursor.skip(2)
            try reader.spend(HeadReader.stepsPerKeeping)
            kinds[item] = FourCharacterCode(rawValue: UInt32(clamping: try cursor.integer(4, from: &reader)))
        }
        return kinds
    }

    func references(_ reader: inout HeadReader) throws(HeadError) -> HEIFReferences {
        guard let box = boxes["iref"] else { return HEIFReferences() }
        return try HEIFReferences(&reader, in: box, primary: primary)
    }

    /// Returns the property boxes of each of `items`, in the order in which they apply (`ipma` over `ipco`). A property
    /// that is associated with an item a second time is dropped, because it states nothing new.
    func properties(
        _ reader: inout HeadReader, of items: Set<Int>
    ) throws(HeadError) -> [Int: [HEIFBoxes.Box]] {
        guard let box = boxes["iprp"] else { return [:] }
        let parts = try HEIFBoxes(&reader, in: box)
        guard let container = parts["ipco"] else { return [:] }
        let all = try HEIFBoxes(&reader, in: container).boxes
        var properties: [Int: [HEIFBoxes.Box]] = [:]
        var seen: [Int: Set<Int>] = [:]
        for part in parts.boxes where part.kind == "ipma" {
            var cursor = HeadCursor(part.payload)
            let (version, flags) = try cursor.versionAndFlags(from: &reader)
            // The highest bit of an index marks the property as essential; the other bits count properties from 1.
            let (width, mask) = flags & 1 == 1 ? (2, 0x7FFF) : (1, 0x7F)
            for _ in 0..<(try cursor.integer(4, from: &reader)) {
                let item = try cursor.integer(version == 0 ? 2 : 4, from: &reader)
                let count = try cursor.integer(1, from: &reader)
                guard items.contains(item) else {
                    try cursor.skip(count * width)
                    continue
                }
                for _ in 0..<count {
                    let index = try cursor.integer(width, from: &reader) & mask
                    try reader.spend(HeadReader.stepsPerKeeping)
                    guard all.indices.contains(index - 1), seen[item, default: []].insert(index).inserted else {
                        continue
                    }
                    properties[item, default: []].append(all[index - 1])
                }
            }
        }
        return properties
    }

    /// Returns the pieces of the file in which each of `items` lies (`iloc`). Entries before a damaged one are kept.
    func extents(_ reader: inout HeadReader, of items: Set<Int>) throws(HeadError) -> [Int: [Range<Int>]] {
        guard let box = boxes["iloc"], !items.isEmpty else { return [:] }
        var extents: [Int: [Range<Int>]] = [:]
        do throws(HeadError) {
            var list = try HEIFLocations(&reader, in: box, data: boxes["idat"])
            var missing = items
            while !missing.isEmpty, let entry = try list.next(&reader, wanted: missing) {
                missing.remove(entry.item)
                extents[entry.item] = entry.extents
            }
        } catch  where error.concernsBytes {
            // The damaged entry and the entries after it are lost; those before it are kept.
        }
        return extents
    }

    /// Returns, for each of `items`, the items that it is derived from (`dimg`), in order.
    func parts(_ reader: inout HeadReader, of items: Set<Int>) throws(HeadError) -> [Int: [Int]] {
        guard let box = boxes["iref"] else { return [:] }
        var cursor = HeadCursor(box)
        let width = try cursor.versionAndFlags(from: &reader).version == 0 ? 2 : 4
        var parts: [Int: [Int]] = [:]
        var walk = HEIFBoxWalk(cursor.rest)
        while let box = try walk.next(&reader) {
            guard box.kind == "dimg" else { continue }
            var cursor = HeadCursor(box.payload)
            let from = try cursor.integer(width, from: &reader)
            // A second list for one item would contradict the first, so it is ignored.
            guard items.contains(from), parts[from] == nil else { continue }
            var list: [Int] = []
            for _ in 0..<(try cursor.integer(2, from: &reader)) {
                list.append(try cursor.integer(width, from: &reader))
            }
            parts[from] = list
        }
        return parts
    }
}
