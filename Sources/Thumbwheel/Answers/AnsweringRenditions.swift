import ThumbwheelPipeline

/// The renditions that are ready in the cache, in the form in which `AnswerTable` looks them up. Each rendition has a
/// number. When a rendition leaves the cache, its number may be given to another rendition.
///
/// The renditions are divided into parts by their hashes, so that a growing array moves only the renditions of one
/// part.
struct AnsweringRenditions: ~Copyable, Sendable {
    private static let partCount = 64

    private var parts = SpacedArray(count: partCount) { _ in Part() }
    private var isOpen = true
    private(set) var count = 0

    /// Returns the number that identifies the rendition with the given key in this table; nil if the rendition is not
    /// in the cache.
    ///
    /// - Parameter hash: the hash of `key`. Its upper six bits are the index, in `parts`, of the part that may contain
    ///   the rendition.
    @inline(__always)
    func number(of key: RenditionKey, hash: Int) -> Int? {
        let part = Self.part(of: hash)
        return parts[part].place(of: key, hash: hash).map { Self.number(of: $0, in: part) }
    }

    /// Returns the image of the rendition that has the given number in this table; nil if no rendition has it now.
    @inline(__always)
    func image(_ number: Int) -> SharedImage? { parts[number % Self.partCount].image(at: number / Self.partCount) }

    /// Returns the key of the rendition that has the given number in this table.
    func key(_ number: Int) -> RenditionKey { parts[number % Self.partCount].key(at: number / Self.partCount) }

    /// Adds, replaces or removes a rendition after the cache has changed.
    ///
    /// - Returns: the number of the rendition, and the image that was removed or replaced; nil if nothing has changed.
    mutating func apply(_ change: RenditionChange) -> (number: Int, former: SharedImage?)? {
        guard isOpen else { return nil }
        let hash = change.key.hashValue
        let part = Self.part(of: hash)
        let place = parts[part].place(of: change.key, hash: hash)
        switch (place, change.shared) {
        case (nil, nil): return nil
        case (nil, let shared?):
            count += 1
            return (Self.number(of: parts[part].insert(change.key, shared, hash: hash), in: part), nil)
        case (let place?, nil):
            count -= 1
            return (Self.number(of: place, in: part), parts[part].remove(place, hash: hash))
        case (let place?, let shared?):
            return (Self.number(of: place, in: part), parts[part].replace(place, with: shared))
        }
    }

    /// Removes all renditions. From now on none is added.
    ///
    /// - Returns: the images that were removed.
    mutating func close() -> [SharedImage?] {
        isOpen = false
        count = 0
        var images: [SharedImage?] = []
        for part in 0..<parts.count { images += parts[part].removeAll() }
        return images
    }

    @inline(__always)
    private static func part(of hash: Int) -> Int { Int(truncatingIfNeeded: UInt(bitPattern: hash) >> 58) }

    @inline(__always)
    private static func number(of place: Int, in part: Int) -> Int { place * partCount + part }
}
