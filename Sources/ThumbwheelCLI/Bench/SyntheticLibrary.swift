import Foundation
import Thumbwheel

/// The assets that libraries are measured with: fifteen years of photographs in folders by month, made of a seed.
struct SyntheticLibrary {
    let count: Int
    let seed: UInt64

    private static let coding = JPEGCoding(
        process: .baseline, isArithmetic: false,
        samplingFactors: [
            JPEGCoding.SamplingFactor(horizontal: 2, vertical: 2),
            JPEGCoding.SamplingFactor(horizontal: 1, vertical: 1),
            JPEGCoding.SamplingFactor(horizontal: 1, vertical: 1),
        ], restartInterval: 0)

    /// Calls `body` with all assets in the order of import, some at a time.
    func forEachBatch(_ body: ([Asset]) throws -> Void) rethrows {
        var random = SeededGenerator(seed: seed)
        var number = 0
        while number < count {
            let end = min(count, number + 20_000)
            try body((number..<end).map { asset($0, &random) })
            number = end
        }
    }

    func assets() -> [Asset] {
        var assets: [Asset] = []
        assets.reserveCapacity(count)
        forEachBatch { assets += $0 }
        return assets
    }

    private func asset(_ number: Int, _ random: inout SeededGenerator) -> Asset {
        // Imported roughly in the order of capture, as folders are.
        let seconds = Double(number) / Double(count) * 15 * 365 * 86_400 + random.unit() * 30 * 86_400
        let created = Date(timeIntervalSinceReferenceDate: 300_000_000 + seconds.rounded())
        let month = number * 180 / count
        let isVideo = random.index(below: 100) < 12
        let isWide = random.index(below: 3) > 0
        let name = "IMG_\(number).\(isVideo ? "MOV" : "JPG")"
        let (width, height) = [(4032, 3024), (3024, 4032), (6000, 4000), (1920, 1080)][random.index(below: 4)]
        let head = ImageHead(
            contentType: .jpeg, storedSize: PixelSize(width: width, height: height),
            orientation: isWide ? .up : .right,
            captureDate: CaptureDate(
                year: 2010 + month / 12, month: 1 + month % 12, day: 1 + random.index(below: 28),
                hour: random.index(below: 24), minute: random.index(below: 60), second: random.index(below: 60)),
            previews: [
                EmbeddedPreview(
                    kind: .exif,
                    byteRange: 2048..<2048 + 4000 + random.index(below: 8000), contentType: .jpeg)
            ],
            profile: random.index(below: 2) == 0 ? EmbeddedProfile(name: "Display P3", colorSpace: "RGB") : nil,
            jpeg: Self.coding)
        return Asset(
            identifier: AssetIdentifier(high: random.next(), low: random.next()), mediaType: isVideo ? .video : .image,
            head: head,
            resource: AssetResource(
                type: isVideo ? .video : .photo,
                source: .file(path: "/srv/photos/\(2010 + month / 12)/\(1 + month % 12)/\(name)")),
            fileSize: 500_000 + random.index(below: 6_000_000), originalFilename: name, creationDate: created,
            modificationDate: created.addingTimeInterval(Double(random.index(below: 1_000_000))),
            addedDate: created.addingTimeInterval(3600),
            mediaSubtypes: random.index(below: 20) == 0 ? .photoScreenshot : [],
            location: random.index(below: 10) < 6
                ? Location(latitude: random.value(in: -60...70), longitude: random.value(in: -180...180), altitude: 100)
                : nil, duration: isVideo ? random.value(in: 1...120) : 0, isFavorite: random.index(below: 50) == 0)
    }

    /// A library of the assets, and albums of neighbours in it.
    ///
    /// - Returns: the library, and how long it took to fill it, without what it took to make the assets up.
    func library(albumCount: Int) throws -> (library: PhotoLibrary, milliseconds: Double) {
        let library = PhotoLibrary()
        var time = 0.0
        forEachBatch { assets in time += Stopwatch.milliseconds { library.add(assets) }.time }
        time += try Stopwatch.milliseconds { try Self.addAlbums(albumCount, to: library) }.time
        return (library, time)
    }

    private static func addAlbums(_ albumCount: Int, to library: PhotoLibrary) throws {
        let assets = library.fetchAssets()
        let memberCount = max(1, assets.count / max(1, albumCount))
        try library.changeAndWait { changes in
            for number in 0..<albumCount {
                let album = try changes.createAlbum(title: "Album \(number)")
                let start = number * memberCount
                guard start < assets.count else { break }
                try changes.addAssets(assets[start..<min(assets.count, start + memberCount)], to: album)
            }
        }
    }
}

extension PhotoLibrary {
    /// `performChangesAndWait` for the benchmark's own thread, which is nobody's executor.
    func changeAndWait(_ body: (inout LibraryTransaction) throws -> Void) throws { try performChangesAndWait(body) }
}
