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
    /// The items that each derived item, such as a grid, is made of.
    private var parts: [Int: [Int]] = [:]
    private var partCount = 0

    /// The greatest number of parts of all derived items together. A grid has at most 65 536 tiles, and its alpha may be
    /// a second one.
    private static let partLimit = 131_072

    /// The greatest number of coded pictures that an item is derived from.
    private static let pictureLimit = 65_536

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
                // A second list for one item would contradict the first, so it is ignored.
                guard count > 0, parts[from] == nil else { continue }
                partCount += count
                guard partCount <= Self.partLimit else {
                    throw .malformed(reason: "more parts of derived items than pictures have")
                }
                var list: [Int] = []
                for _ in 0..<count { list.append(try cursor.integer(width, from: &reader)) }
                parts[from] = list
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
        while items.count <= Self.derivationLimit, let part = parts[items[items.count - 1]]?.first,
            !items.contains(part)
        {
            items.append(part)
        }
        return items
    }

    /// Throws if one of the items is derived from itself, over too many steps, or from more pictures than a grid can have
    /// tiles. Decoders follow all parts of an item, so they would need endless memory and time.
    func checkDerivations(of items: [Int]) throws(HeadError) {
        var known: [Int: Derivation] = [:]
        for item in items {
            let derivation = try derivation(of: item, atMost: Self.derivationLimit, &known)
            guard derivation.pictureCount <= Self.pictureLimit else {
                throw .malformed(reason: "an item that is derived from too many pictures")
            }
        }
    }

    private struct Derivation {
        /// The number of steps that lead from the item to the farthest coded item.
        var stepCount = 0
        /// The number of coded pictures that a decoder of the item decodes.
        var pictureCount = 1
    }

    /// - Parameters:
    ///   - stepLimit: the number of steps that are allowed. An item that is derived from itself exceeds every number.
    ///   - known: the derivations that have been found so far, so that each list of parts is walked once.
    private func derivation(
        of item: Int, atMost stepLimit: Int, _ known: inout [Int: Derivation]
    ) throws(HeadError) -> Derivation {
        guard let list = parts[item] else { return Derivation() }
        var derivation = known[item] ?? Derivation(stepCount: 0, pictureCount: 0)
        if derivation.stepCount == 0 {
            guard stepLimit > 0 else { throw .malformed(reason: "an item that is derived over too many others") }
            for part in list {
                let further = try self.derivation(of: part, atMost: stepLimit - 1, &known)
                derivation.stepCount = max(derivation.stepCount, further.stepCount + 1)
                derivation.pictureCount = min(
                    derivation.pictureCount + further.pictureCount, Self.pictureLimit + 1)
            }
            known[item] = derivation
        }
        guard derivation.stepCount <= stepLimit else {
            throw .malformed(reason: "an item that is derived over too many others")
        }
        return derivation
    }
}
