import Foundation
import Testing
import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats

@Suite struct PredicateTests {
    private let library = PhotoLibrary()
    private let assets: [Asset]

    init() {
        var random = SeededGenerator(seed: 11)
        assets = (0..<2000).map { SampleAssets.random($0, &random) }
        library.add(assets)
    }

    private var everything: FetchOptions {
        FetchOptions(
            includeHiddenAssets: true, includeAllBurstAssets: true,
            includeAssetSourceTypes: [.userLibrary, .cloudShared, .iTunesSynced])
    }

    private func check(
        _ predicate: Predicate<Asset>, location: SourceLocation = #_sourceLocation
    ) throws {
        var options = everything
        options.predicate = try AssetPredicate(predicate)
        let expected = try assets.filter { try predicate.evaluate($0) }
        #expect(
            library.fetchAssets(with: options).numbers == expected.map { Int($0.identifier.low) },
            sourceLocation: location)
        #expect(!expected.isEmpty && expected.count < assets.count, sourceLocation: location)
    }

    @Test("compiled predicates find what evaluating them finds")
    func equalToEvaluation() throws {
        let (start, end) = (
            Date(timeIntervalSinceReferenceDate: 10 * 86_400), Date(timeIntervalSinceReferenceDate: 30 * 86_400)
        )
        let video = AssetMediaType.video
        let names: Set = ["IMG_3.JPG", "IMG_5.JPG", "IMG_1999.JPG"]
        let widths = [3, 5, 7, 11, 13, 17]
        try check(#Predicate { $0.isFavorite && $0.pixelWidth > 20 })
        try check(#Predicate { $0.mediaType == video || !$0.isPanorama })
        try check(#Predicate { $0.mediaType.rawValue == 1 && $0.isScreenshot })
        try check(#Predicate { ($0.creationDate ?? end) >= end })
        try check(#Predicate { $0.creationDate == nil })
        try check(#Predicate { $0.creationDate != start })
        try check(#Predicate { if let date = $0.creationDate { date >= start && date < end } else { false } })
        try check(#Predicate { $0.creationDate.flatMap { $0 > start } == true })
        try check(#Predicate { $0.pixelWidth * $0.pixelHeight > 900 })
        try check(#Predicate { $0.pixelWidth > $0.pixelHeight })
        try check(#Predicate { $0.fileSize % 7 == 0 || $0.fileSize / 100 == 3 })
        try check(#Predicate { $0.originalFilename.contains("99") })
        try check(#Predicate { $0.originalFilename.starts(with: "IMG_1") })
        try check(#Predicate { names.contains($0.originalFilename) })
        try check(#Predicate { widths.contains($0.pixelWidth) })
        try check(#Predicate { (5..<9).contains($0.pixelWidth) })
        try check(#Predicate { $0.burstIdentifier == "burst 2" })
        try check(#Predicate { $0.burstIdentifier == nil && $0.duration > 0.5 })
        try check(#Predicate { $0.isFavorite ? $0.isVideo : $0.isImage })
        try check(#Predicate { ($0.latitude ?? -100) > 10 })
        let identifier = assets[77].localIdentifier
        try check(#Predicate { $0.localIdentifier == identifier })
    }

    @Test("a key that cannot be fetched by is an error that names it")
    func unusableKeys() {
        #expect(throws: FetchPredicateError.unsupportedKey("head")) {
            try AssetPredicate(#Predicate<Asset> { $0.head.hasAlpha })
        }
        #expect(throws: FetchPredicateError.unsupportedKey("isRAW")) {
            try AssetPredicate(#Predicate<Asset> { $0.isRAW })
        }
        #expect(throws: FetchPredicateError.unsupportedKey("colour")) {
            try AssetPredicate(PredicateFormat("colour == 3"))
        }
        #expect(throws: FetchPredicateError.self) {
            try AssetSortDescriptor(SortDescriptor(\Asset.isRAWNumber))
        }
    }

    @Test("format strings find what the same predicate finds")
    func formats() throws {
        let date = Date(timeIntervalSinceReferenceDate: 20 * 86_400)
        let pairs: [(PredicateFormat, (Asset) -> Bool)] = [
            (PredicateFormat("mediaType == %d && favorite == YES", 1), { $0.isImage && $0.isFavorite }),
            (PredicateFormat("(mediaSubtypes & %d) != 0", 4), { $0.isScreenshot }),
            (PredicateFormat("creationDate > %@", date), { $0.creationDate.map { $0 > date } ?? false }),
            (PredicateFormat("NOT (pixelWidth BETWEEN {10, 20})"), { !(10...20 ~= $0.pixelWidth) }),
            (
                PredicateFormat("pixelWidth IN {3, 5} OR %K == nil", "creationDate"),
                {
                    [3, 5].contains($0.pixelWidth) || $0.creationDate == nil
                }
            ),
            (PredicateFormat("filename BEGINSWITH[c] 'img_19'"), { $0.originalFilename.hasPrefix("IMG_19") }),
            (
                PredicateFormat("filename LIKE '*9?.JPG'"),
                {
                    $0.originalFilename.dropLast(5).hasSuffix("9") && $0.originalFilename.count > 8
                }
            ),
            (PredicateFormat("pixelWidth * 2 + 1 >= pixelHeight"), { $0.pixelWidth * 2 + 1 >= $0.pixelHeight }),
        ]
        for (format, holds) in pairs {
            var options = everything
            options.predicate = try AssetPredicate(format)
            let expected = assets.filter(holds).map { Int($0.identifier.low) }
            #expect(library.fetchAssets(with: options).numbers == expected, "\(format.format)")
        }
    }

    @Test(
        "a format string that is none tells where",
        arguments: [
            ("favorite ==", 11), ("favorite == YES )", 16), ("(favorite == YES", 16), ("favorite == 'x", 12),
            ("favorite § YES", 9), ("== 3", 0), ("pixelWidth > 3 AND", 18), ("pixelWidth 3", 11), ("1 == 2", 2),
        ])
    func syntax(format: String, position: Int) {
        do {
            let predicate = try AssetPredicate(PredicateFormat(format))
            #expect(predicate == predicate)
            Issue.record("accepted")
        } catch FetchPredicateError.syntax(let found, _) {
            #expect(found == position)
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test("nesting without end and arguments that are missing are errors")
    func limits() {
        let deep = String(repeating: "(", count: 100_000) + "favorite == YES" + String(repeating: ")", count: 100_000)
        #expect(throws: FetchPredicateError.self) { try AssetPredicate(PredicateFormat(deep)) }
        let nots = String(repeating: "NOT ", count: 1000) + "favorite == YES"
        #expect(throws: FetchPredicateError.self) { try AssetPredicate(PredicateFormat(nots)) }
        #expect(throws: FetchPredicateError.argumentCount(expected: 1, given: 0)) {
            try AssetPredicate(PredicateFormat("pixelWidth == %d"))
        }
        #expect(throws: FetchPredicateError.argumentCount(expected: 1, given: 2)) {
            try AssetPredicate(PredicateFormat("pixelWidth == %d", 1, 2))
        }
        #expect(throws: FetchPredicateError.self) { try AssetPredicate(PredicateFormat("pixelWidth == 'wide'")) }
    }
}

extension Asset {
    fileprivate var isRAWNumber: Int { isRAW ? 1 : 0 }
}
