import Foundation
import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelLocks

/// Assets without files, from a seed.
enum SampleAssets {
    static func identifier(_ number: Int) -> AssetIdentifier { AssetIdentifier(high: 7, low: UInt64(number)) }

    static func asset(
        _ number: Int, type: AssetMediaType = .image, subtypes: AssetMediaSubtype = [], created: Double? = nil,
        width: Int = 40, height: Int = 30, fileSize: Int = 1000, name: String? = nil, favorite: Bool = false,
        hidden: Bool = false, location: Location? = nil, burst: String? = nil, represents: Bool = false,
        source: AssetSourceType = .userLibrary, frames: Int = 1, contentType: ContentType = .jpeg,
        duration: Double = 0,
        picks: AssetBurstSelectionType = [], added: Date? = nil
    ) -> Asset {
        let name = name ?? "IMG_\(number).JPG"
        return Asset(
            identifier: identifier(number), mediaType: type,
            head: ImageHead(
                contentType: contentType, storedSize: PixelSize(width: width, height: height), frameCount: frames),
            resource: .file(path: "/photos/\(number % 7)/\(name)"), fileSize: fileSize, originalFilename: name,
            creationDate: created.map(Date.init(timeIntervalSinceReferenceDate:)),
            addedDate: added ?? Date(timeIntervalSinceReferenceDate: 1000 + Double(number)), mediaSubtypes: subtypes,
            location: location, duration: duration, isFavorite: favorite, isHidden: hidden, burstIdentifier: burst,
            burstSelectionTypes: picks, representsBurst: represents, sourceType: source)
    }

    /// One of all kinds, some of whose properties are missing.
    static func random(_ number: Int, _ random: inout SeededGenerator) -> Asset {
        let isVideo = random.index(below: 6) == 0
        let inBurst = random.index(below: 10) == 0
        return asset(
            number, type: isVideo ? .video : .image,
            subtypes: [[], [.photoPanorama], [.photoScreenshot], [.photoLive, .photoHDR]][random.index(below: 4)],
            created: random.index(below: 12) == 0 ? nil : Double(random.index(below: 50)) * 86_400,
            width: 1 + random.index(below: 60), height: 1 + random.index(below: 60),
            fileSize: random.index(below: 5000), favorite: random.index(below: 4) == 0,
            hidden: random.index(below: 9) == 0,
            location: random.index(below: 2) == 0
                ? Location(latitude: random.value(in: -90...90), longitude: random.value(in: -180...180)) : nil,
            burst: inBurst ? "burst \(random.index(below: 5))" : nil, represents: random.index(below: 2) == 0,
            source: random.index(below: 15) == 0 ? .cloudShared : .userLibrary, duration: isVideo ? random.unit() : 0)
    }
}

/// The time, as a test sets it.
final class Clock: Sendable {
    private let date = Mutex(Date(timeIntervalSinceReferenceDate: 0))

    var now: Date {
        get { date.withLock { $0 } }
        set { date.withLock { $0 = newValue } }
    }
}

extension FetchResult<Asset> {
    var numbers: [Int] { map { Int($0.identifier.low) } }
}

extension FetchResultChangeDetails {
    /// *Before* after removals, insertions and moves, done as a grid would do them.
    func applied() -> [Element] {
        var list = Array(fetchResultBeforeChanges)
        for index in (removedIndexes ?? []).reversed() { list.remove(at: index) }
        for (index, object) in zip(insertedIndexes ?? [], insertedObjects) { list.insert(object, at: index) }
        for move in moves { list.insert(list.remove(at: move.from), at: move.to) }
        return list
    }
}
