/// A HEIF file put together list by list, as no camera writes them. Item 1 is the picture.
struct HEIFLists {
    var brands = ["heic", "mif1"]
    var kinds: [(item: Int, kind: String)] = [(1, "hvc1")]
    var properties: [[UInt8]] = [HEIFBytes.size(64, 48)]
    /// Numbers of properties, from 1.
    var associations: [(item: Int, properties: [Int])] = [(1, [1])]
    var references: [(kind: String, from: Int, to: [Int])] = []
    /// Whether references name items by four bytes.
    var hasWideReferences = false
    var locations: [(item: Int, place: Range<Int>)] = []

    func encoded() -> [UInt8] {
        HEIFBytes.box("ftyp", .text(brands[0]) + .zeros(4) + brands.flatMap { [UInt8].text($0) })
            + HEIFBytes.fullBox(
                "meta",
                HEIFBytes.fullBox("pitm", .big(1, 2)) + HEIFBytes.fullBox("iinf", .big(kinds.count, 2) + entries)
                    + HEIFBytes.fullBox("iref", version: hasWideReferences ? 1 : 0, statements)
                    + HEIFBytes.box("iprp", HEIFBytes.box("ipco", properties.flatMap { $0 }) + associationBox)
                    + HEIFBytes.fullBox("iloc", [0x44, 0] + .big(locations.count, 2) + places))
    }

    private var entries: [UInt8] {
        kinds.flatMap { HEIFBytes.fullBox("infe", version: 2, .big($0.item, 2) + [0, 0] + .text($0.kind) + [0]) }
    }

    private var statements: [UInt8] {
        let width = hasWideReferences ? 4 : 2
        return references.flatMap { reference in
            HEIFBytes.box(
                reference.kind,
                .big(reference.from, width) + .big(reference.to.count, 2)
                    + reference.to.flatMap { [UInt8].big($0, width) })
        }
    }

    private var associationBox: [UInt8] {
        let lists = associations.flatMap { association in
            [UInt8].big(association.item, 2) + [UInt8(association.properties.count)]
                + association.properties.flatMap { [UInt8].big($0, 2) }
        }
        // Each association takes two bytes.
        return HEIFBytes.box("ipma", [0, 0, 0, 1] + .big(associations.count, 4) + lists)
    }

    private var places: [UInt8] {
        locations.flatMap {
            [UInt8].big($0.item, 2) + .big(0, 2) + .big(1, 2) + .big($0.place.lowerBound, 4) + .big($0.place.count, 4)
        }
    }
}
