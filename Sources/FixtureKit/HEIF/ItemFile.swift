/// A file of items (ISO/IEC 23008-12): coded pictures, what is derived from them, and how they belong together.
package struct ItemFile: Sendable {
    /// An item. Its number is its place in `items`, from 1.
    package struct Item: Sendable {
        package var kind: String
        package var data: [UInt8]
        /// Whether the data lies in the `idat` box.
        package var isInline: Bool
        /// Property boxes, in the order in which they apply.
        package var properties: [[UInt8]]

        package init(_ kind: String, _ data: [UInt8], isInline: Bool = false, properties: [[UInt8]] = []) {
            self.kind = kind
            self.data = data
            self.isInline = isInline
            self.properties = properties
        }
    }

    /// A reference from an item to others, such as `dimg` from a grid to its tiles.
    package struct Reference: Sendable {
        package var kind: String
        package var from: Int
        package var to: [Int]

        package init(_ kind: String, from: Int, to: [Int]) {
            self.kind = kind
            self.from = from
            self.to = to
        }
    }

    package var brand: String
    package var items: [Item]
    package var references: [Reference]
    package var primary = 1

    package init(brand: String, items: [Item], references: [Reference] = []) {
        self.brand = brand
        self.items = items
        self.references = references
    }

    /// The bytes of the file.
    package var encoded: [UInt8] {
        let front = Self.box("ftyp", Self.text(brand) + [0, 0, 0, 0] + Self.text("mif1" + brand))
        let start = front.count + meta(dataFrom: 0).count + 8
        return front + meta(dataFrom: start)
            + Self.box("mdat", items.filter { !$0.isInline }.flatMap(\.data))
    }

    private func meta(dataFrom start: Int) -> [UInt8] {
        let handler = [0, 0, 0, 0] + Self.text("pict") + [UInt8](repeating: 0, count: 13)
        var entries: [UInt8] = []
        // Version 1: offsets and lengths of four bytes, and a construction method.
        var places: [UInt8] = [0x44, 0] + Self.number(items.count, 2)
        var (offset, inlineOffset) = (start, 0)
        for (index, item) in items.enumerated() {
            entries += Self.fullBox(
                "infe", version: 2, Self.number(index + 1, 2) + [0, 0] + Self.text(item.kind) + [0])
            places += Self.number(index + 1, 2) + [0, item.isInline ? 1 : 0, 0, 0, 0, 1]
            places += Self.number(item.isInline ? inlineOffset : offset, 4) + Self.number(item.data.count, 4)
            if item.isInline { inlineOffset += item.data.count } else { offset += item.data.count }
        }
        let properties = Self.distinct(items.flatMap(\.properties))
        var associations = Self.number(items.count, 4)
        for (index, item) in items.enumerated() {
            associations += Self.number(index + 1, 2) + [UInt8(item.properties.count)]
            associations += item.properties.map { UInt8(properties.firstIndex(of: $0)! + 1) }
        }
        let listed = references.flatMap { reference in
            Self.box(
                reference.kind,
                Self.number(reference.from, 2) + Self.number(reference.to.count, 2)
                    + reference.to.flatMap { Self.number($0, 2) })
        }
        return Self.fullBox(
            "meta",
            Self.fullBox("hdlr", handler) + Self.fullBox("pitm", Self.number(primary, 2))
                + Self.fullBox("iloc", version: 1, places)
                + Self.fullBox("iinf", Self.number(items.count, 2) + entries)
                + Self.box(
                    "iprp", Self.box("ipco", properties.flatMap(\.self)) + Self.fullBox("ipma", associations))
                + Self.fullBox("iref", listed) + Self.box("idat", items.filter(\.isInline).flatMap(\.data)))
    }

    private static func distinct(_ boxes: [[UInt8]]) -> [[UInt8]] {
        var seen: Set<[UInt8]> = []
        return boxes.filter { seen.insert($0).inserted }
    }

    /// A box of a kind and its contents.
    package static func box(_ kind: String, _ payload: [UInt8]) -> [UInt8] {
        number(payload.count + 8, 4) + text(kind) + payload
    }

    /// A box with a version, and no flags.
    package static func fullBox(_ kind: String, version: UInt8 = 0, _ payload: [UInt8]) -> [UInt8] {
        box(kind, [version, 0, 0, 0] + payload)
    }

    /// A big-endian number of `width` bytes.
    package static func number(_ value: Int, _ width: Int) -> [UInt8] {
        (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * (width - 1 - $0))) }
    }

    static func text(_ text: String) -> [UInt8] { [UInt8](text.utf8) }
}
