import Foundation
import Thumbwheel

/// Fetches and reads, each beside `filter` and `sorted` of an array of the same assets.
struct AssetsFetchBench {
    private let options: BenchOptions
    private let library: PhotoLibrary
    private let array: [Asset]

    init(_ options: BenchOptions, _ library: PhotoLibrary, _ array: [Asset]) {
        self.options = options
        self.library = library
        self.array = array
    }

    private static let peer = "Array<Asset>"
    private static let newestFirst = [AssetSortDescriptor(.creationDate, ascending: false)]

    func rows() throws -> [BenchRow] {
        [
            try imagesNewestFirst(), try favouritesOfAYear(), try newest100(), try twoKeyPredicate(), try indexOf(),
            subscripts(),
        ]
    }

    /// Times a fetch beside its peer, once it is certain that both find the same.
    private func row(
        _ name: String, peer: String = Self.peer, rounds: Int, _ fetch: () throws -> FetchResult<Asset>,
        _ other: () throws -> [Asset]
    ) throws -> BenchRow {
        guard try fetch().elementsEqual(try other()) else {
            throw BenchError("\(name): the library and its peer find different assets")
        }
        let times = try Stopwatch.interleaved(rounds: rounds) {
            Stopwatch.consume(try fetch())
        } _: {
            Stopwatch.consume(try other())
        }
        return BenchRow(name, unit: "milliseconds", rounds: times.one, peer: peer, peerRounds: times.other)
    }

    private func sorted(_ assets: [Asset]) -> [Asset] {
        assets.sorted { ($0.creationDate ?? .distantPast) > ($1.creationDate ?? .distantPast) }
    }

    private func imagesNewestFirst() throws -> BenchRow {
        try row("assets.fetchImagesNewestFirst", rounds: options.rounds) {
            library.fetchAssets(with: .image, options: FetchOptions(sortDescriptors: Self.newestFirst))
        } _: {
            sorted(array.filter { $0.mediaType == .image && !$0.isHidden })
        }
    }

    private func favouritesOfAYear() throws -> BenchRow {
        let start = Date(timeIntervalSinceReferenceDate: 500_000_000)
        let end = start.addingTimeInterval(365 * 86_400)
        let predicate = #Predicate<Asset> {
            $0.isFavorite && $0.creationDate! >= start && $0.creationDate! < end
        }
        return try row("assets.fetchFavouritesOfAYear", rounds: options.rounds * 3) {
            // Reading the predicate is a part of it.
            let options = FetchOptions(predicate: try AssetPredicate(predicate), sortDescriptors: Self.newestFirst)
            return library.fetchAssets(with: options)
        } _: {
            sorted(
                array.filter { asset in
                    guard asset.isFavorite, !asset.isHidden, let date = asset.creationDate else { return false }
                    return date >= start && date < end
                })
        }
    }

    private func newest100() throws -> BenchRow {
        try row("assets.fetchNewest100", rounds: options.rounds) {
            library.fetchAssets(with: FetchOptions(sortDescriptors: Self.newestFirst, fetchLimit: 100))
        } _: {
            Array(sorted(array.filter { !$0.isHidden }).prefix(100))
        }
    }

    private func twoKeyPredicate() throws -> BenchRow {
        let predicate = #Predicate<Asset> { $0.pixelWidth > 4000 && $0.fileSize < 3_000_000 }
        return try row("assets.fetchTwoKeyPredicate", peer: "Predicate.evaluate", rounds: options.rounds) {
            library.fetchAssets(with: FetchOptions(predicate: try AssetPredicate(predicate)))
        } _: {
            try array.filter { try predicate.evaluate($0) }
        }
    }

    /// The array is searched a few times only: each search is linear.
    private func indexOf() throws -> BenchRow {
        let result = library.fetchAssets(with: FetchOptions(sortDescriptors: Self.newestFirst))
        var random = SeededGenerator(seed: options.seed)
        let wanted = (0..<1_000_000).map { _ in array[random.index(below: array.count)] }
        let searched = wanted.prefix(20)
        Stopwatch.consume(result.index(of: wanted[0]))
        let times = Stopwatch.interleaved(rounds: options.rounds) {
            var sum = 0
            for asset in wanted { sum &+= result.index(of: asset) ?? 0 }
            Stopwatch.consume(sum)
        } _: {
            for asset in searched { Stopwatch.consume(array.firstIndex(of: asset)) }
        }
        return BenchRow(
            "assets.indexOf", unit: "nanoseconds", rounds: times.one.map { $0 * 1e6 / Double(wanted.count) },
            operations: wanted.count, peer: "Array.firstIndex",
            peerRounds: times.other.map { $0 * 1e6 / Double(searched.count) })
    }

    private func subscripts() -> BenchRow {
        let result = library.fetchAssets(with: FetchOptions(sortDescriptors: Self.newestFirst))
        var random = SeededGenerator(seed: options.seed)
        let places = (0..<1_000_000).map { _ in random.index(below: min(result.count, array.count)) }
        let times = Stopwatch.interleaved(rounds: options.rounds) {
            var sum = 0
            for place in places { sum &+= result[place].pixelWidth }
            Stopwatch.consume(sum)
        } _: {
            var sum = 0
            for place in places { sum &+= array[place].pixelWidth }
            Stopwatch.consume(sum)
        }
        func each(_ rounds: [Double]) -> [Double] { rounds.map { $0 * 1e6 / Double(places.count) } }
        return BenchRow(
            "assets.subscript", unit: "nanoseconds", rounds: each(times.one), operations: places.count, peer: Self.peer,
            peerRounds: each(times.other))
    }
}
