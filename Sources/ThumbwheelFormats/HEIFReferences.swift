/// What the items of a HEIF file say about each other (`iref`), as far as it concerns the photograph.
///
/// A statement counts once, however often it is made, and lists are read no further than to the first item that matters.
struct HEIFReferences {
    /// Items that add something to the photograph: its alpha, or a map of depths.
    private(set) var auxiliaries: [Int] = []
    private(set) var thumbnails: [Int] = []
    /// Items with metadata of the photograph.
    private(set) var descriptions: [Int] = []
    /// The alpha items that the photograph's colours were multiplied with.
    private(set) var multipliedAlphas: Set<Int> = []
    /// What a derived item, such as a grid, is made of in the first place.
    private var firstPart: [Int: Int] = [:]

    /// How many items are looked through until one that is coded must have come.
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

    /// An item, what it is derived from, what that is derived from, and so on down to one that is coded.
    func derivation(of item: Int) -> [Int] {
        var items = [item]
        while items.count <= Self.derivationLimit, let part = firstPart[items[items.count - 1]], !items.contains(part) {
            items.append(part)
        }
        return items
    }
}
