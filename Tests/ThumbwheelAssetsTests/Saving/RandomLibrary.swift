import Foundation
import Synchronization
import ThumbwheelCore
import ThumbwheelFormats

@testable import ThumbwheelAssets

/// A library that seeded transactions have filled with everything that a library can hold.
struct RandomLibrary {
    let library: PhotoLibrary
    let clock = TickingClock()
    var random: SeededGenerator
    private var nextNumber = 0
    private var albums: [CollectionPlaceholder] = []
    private var folders: [CollectionPlaceholder] = []

    init(seed: UInt64, transactionCount: Int, configuration: PhotoLibrary.Configuration = .init()) throws {
        library = PhotoLibrary(configuration: configuration, now: { [clock] in clock.now })
        random = SeededGenerator(seed: seed)
        for _ in 0..<transactionCount { try transact() }
    }

    mutating func transact() throws {
        clock.advance()
        // A copy, because the closure may not capture `self` that changes.
        var copy = self
        try library.performChangesAndWait { changes in
            for _ in 0...copy.random.index(below: 4) { try copy.operate(&changes) }
        }
        self = copy
        for asset in library.fetchAssets() where random.index(below: 20) == 0 {
            asset.keepThumbHash(ThumbHash(base64Encoded: "HygGbZqAd3eAd4iId2iHd3CAFvZX")!)
        }
    }

    private mutating func someAssets(
        _ changes: borrowing LibraryTransaction, _ flag: RowFlag = .alive
    ) -> [AssetIdentifier] {
        (0..<nextNumber).compactMap { number in
            let identifier = SampleAssets.identifier(number)
            guard random.index(below: 6) == 0, let row = changes.draft.row(of: identifier) else { return nil }
            let isWanted = changes.draft.flag(flag, of: row) && !changes.draft.flag(.outsideUserLibrary, of: row)
            return isWanted ? identifier : nil
        }
    }

    private mutating func operate(_ changes: inout LibraryTransaction) throws {
        switch random.index(below: 12) {
        case 0...3:
            for _ in 0...random.index(below: 8) { try create(&changes) }
        case 4:
            for asset in someAssets(changes) {
                let date = Date(timeIntervalSinceReferenceDate: random.value(in: -1e9...1e9))
                let place = Location(latitude: random.value(in: -90...90), longitude: .nan, altitude: random.unit())
                let choice = random.index(below: 4)
                try changes.edit(asset) { edits in
                    switch choice {
                    case 0: edits.creationDate = date
                    case 1: edits.location = place
                    case 2: edits.isFavorite.toggle()
                    default: edits.isHidden.toggle()
                    }
                }
            }
        case 5: try changes.deleteAssets(someAssets(changes))
        case 6: try changes.restoreAssets(someAssets(changes, .trashed))
        case 7: try changes.deleteAssetsPermanently(someAssets(changes, .trashed))
        case 8:
            for asset in someAssets(changes).prefix(3) {
                guard let row = changes.draft.row(of: asset),
                    changes.draft.read(row, { $0.mediaType(at: $1) }) == .image
                else { continue }
                let recipe = AdjustmentData(
                    formatIdentifier: "org.example.\(nextNumber)", formatVersion: "1", data: [1])
                try changes.setAdjusted(asset, rendering: .bytes(TinyImages.png(9, 8)), adjustmentData: recipe)
            }
        case 9: try changes.revertToOriginal(all: someAssets(changes, .adjusted))
        default: try operateOnCollections(&changes)
        }
    }

    private mutating func create(_ changes: inout LibraryTransaction) throws {
        let number = nextNumber
        nextNumber += 1
        switch random.index(below: 8) {
        case 0:
            try changes.createAsset(
                from: [
                    .bytes(TinyImages.jpeg(day: 1 + number % 28)),
                    .init(type: .pairedVideo, source: .bytes(TinyImages.movie)),
                ],
                originalFilename: "live \(number)", identifier: SampleAssets.identifier(number))
        case 1:
            try changes.createAsset(
                SampleAssets.asset(number, resource: .provider(NamedProvider(identifier: "bucket/\(number)"))))
        case 2: try changes.createAsset(SampleAssets.odd(number))
        default: try changes.createAsset(SampleAssets.random(number, &random))
        }
    }

    private mutating func operateOnCollections(_ changes: inout LibraryTransaction) throws {
        let parent = folders.isEmpty || random.index(below: 2) == 0 ? nil : folders[random.index(below: folders.count)]
        switch random.index(below: 5) {
        case 0: albums.append(try changes.createAlbum(title: "Album \(albums.count)", in: parent))
        case 1: folders.append(try changes.createFolder(title: "", in: parent))
        case 2:
            try changes.createHostAlbum(
                title: "Cafe\u{301}", subtype: .albumCloudShared, assets: someAssets(changes))
        default:
            guard !albums.isEmpty else { return }
            let album = albums[random.index(below: albums.count)]
            try changes.addAssets(someAssets(changes), to: album)
            if random.index(below: 3) == 0 { try changes.removeAssets(someAssets(changes), from: album) }
        }
    }
}

/// Goes on by a day and a bit when it is told to.
final class TickingClock: Sendable {
    private let ticks = Atomic(0)

    var now: Date { Date(timeIntervalSinceReferenceDate: Double(ticks.load(ordering: .relaxed)) * 100_000.25) }

    func advance() { ticks.add(1, ordering: .relaxed) }
}

struct NamedProvider: ResourceProvider {
    let identifier: String
    var requiresNetwork: Bool { identifier.hasSuffix("7") }

    func open() throws(ByteSourceError) -> any ByteSource { MemoryByteSource(Array(identifier.utf8)) }
}

extension LibraryTransaction {
    fileprivate mutating func revertToOriginal(all assets: [AssetIdentifier]) throws {
        for asset in assets { try revertToOriginal(asset) }
    }
}

extension SampleAssets {
    static func asset(_ number: Int, resource: AssetResource) -> Asset {
        Asset(
            identifier: identifier(number),
            head: ImageHead(contentType: .heic, storedSize: PixelSize(width: 1, height: 2)), resource: resource,
            fileSize: 3, originalFilename: "IMG_\(number).HEIC")
    }

    /// What hardly any asset is like.
    static func odd(_ number: Int) -> Asset {
        var head = ImageHead(
            contentType: ContentType(rawValue: "image/x-nobody-knows"),
            storedSize: PixelSize(width: .max, height: -3), orientation: .left,
            captureDate: CaptureDate(
                year: -5, month: 13, day: 99, hour: 1, minute: 2, second: 3, millisecond: 4, secondsFromGMT: 1 << 40),
            previews: [
                EmbeddedPreview(
                    kind: .heifThumbnail, byteRange: 5..<(1 << 40), contentType: .heic,
                    pixelSize: PixelSize(width: 3, height: 4), container: 1..<2),
                EmbeddedPreview(kind: .raw, byteRange: 7..<7, contentType: .jpeg),
            ], profile: EmbeddedProfile(name: nil, colorSpace: "CMYK", byteCount: 77),
            jpeg: JPEGCoding(
                process: .lossless, isArithmetic: true, samplingFactors: [.init(horizontal: 1, vertical: 4)],
                restartInterval: 8),
            tiff: TIFFCoding(
                photometricInterpretation: 6, compression: 32_946, samplesPerPixel: .max, extraSample: .unspecified,
                rowsPerBlock: -1),
            heif: HEIFCoding(
                tileSize: PixelSize(width: 1, height: .max), hasFullChroma: true,
                uncroppedSize: PixelSize(width: .max, height: -1)),
            hasAlpha: true, hasPremultipliedAlpha: true, isInterlaced: true, isLossless: true, bitsPerChannel: 16,
            frameCount: 3, exifColorSpace: .adobeRGB,
            codedColor: CodingIndependentColor(primaries: 12, transfer: 16, matrix: .max, isFullRange: true))
        head.indexCount = .max
        let nan = Double(bitPattern: 0x7FF8_0000_0000_0123)
        return Asset(
            identifier: identifier(number), contentVersion: .max, mediaType: .audio, head: head,
            resource: .file(path: "/e\u{301}/\u{E9}\0\u{FFFD}"), fileSize: .min, originalFilename: "\u{FFFD}\0e\u{301}",
            creationDate: Date(timeIntervalSinceReferenceDate: nan), modificationDate: .distantFuture,
            addedDate: Date(timeIntervalSinceReferenceDate: -.infinity),
            mediaSubtypes: AssetMediaSubtype(rawValue: .max),
            location: Location(latitude: nan, longitude: 1e300), duration: -1, burstIdentifier: "",
            burstSelectionTypes: AssetBurstSelectionType(rawValue: 3), sourceType: AssetSourceType(rawValue: 5),
            otherResources: [AssetResource(type: .alternatePhoto, source: .file(path: ""))])
    }
}
