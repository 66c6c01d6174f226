/// The references between the items of a HEIF file (`iref`), as far as they concern the photograph.
///
/// A repeated reference counts once. A list of referenced items is read only up to the first item that matters.
struct HEIFReferences {
    /// Auxiliary items that add to the photograph: its alpha, or a depth map.
    private(set) var auxiliaries: [Int] = []
    private(set) var thumbnails: [Int] = []
    /// The items with the photograph's metadata.
    private(set) var descriptions: [Int] = []
    /// The alpha items by which the photograph's colours were multiplied.
    private(set) var multipliedAlphas: Set<Int> = []
    /// The first item that a derived item, such as a grid, is made of.
    private var firstPart: [Int: Int] = [:]

    /// The greatest number of steps in which a derivation must lead to a coded item.
    private static let derivationLimit = 4

    init() {}

    /// - Parameter extent: the contents of the `iref` box.
    init(_ reader: inout HeadReader, in extent: Range<Int>, primary: Int) throws(HeadError) {
        var cursor = HeadCursor(extent)
        let width = try cursor.versionAndFlags(from: &reader).version == 0 ? 2 : 4
        var seen: [FourCharacterCode: Set<Int>] = [:]
        var walk = HEIFBoxWalk(cursor.rest)
        while let box = try walk.next(&reader) {
            guard ["auxl", "thmb", "cdsc", "prem", "dimg"].contains(box.kind) else { continue }
            var cursor = HeadCursor(box.payload)
            let from = try cursor.integer(width, from: &reader)
            let count = try cursor.integer(2, from: &reader)
            try reader.spend(HeadReader.stepsPerKeeping)
            switch box.kind {
            case "dimg":
                if count > 0, firstPart[from] == nil { firstPart[from] = try cursor.integer(width, from: &reader) }
            case "prem" where from == primary:
                for _ in 0..<count {
                    try reader.spend(HeadReader.stepsPerKeeping)
                    multipliedAlphas.insert(try cursor.integer(width, from: &reader))
                }
            case "prem":
                break
            default:
                var left = count
                var isAboutPrimary = false
                while left > 0, !isAboutPrimary {
                    isAboutPrimary = try cursor.integer(width, from: &reader) == primary
                    left -= 1
                }
                guard isAboutPrimary, seen[box.kind, default: []].insert(from).inserted else { continue }
                switch box.kind {
                case "auxl": auxiliaries.append(from)
                case "thmb": thumbnails.append(from)
                default: descriptions.append(from)
                }
            }
        }
    }

    /// Returns a chain of items: the given item, the item that it is derived from, and so on up to a coded item.
    func derivation(of item: Int) -> [Int] {
        var items = [item]
        while items.count <= Self.derivationLimit, let part = firstPart[items[items.count - 1]], !items.contains(part) {
            items.append(part)
        }
        return items
    }
}
