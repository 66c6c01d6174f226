import Foundation
import Thumbwheel

extension MicroBenchmark {
    private static let assetCount = 5000
    private static let editCount = 100

    static var assets: [MicroBenchmark] {
        [
            MicroBenchmark("assets.add", operations: assetCount, memory: .held) {
                let assets = SyntheticLibrary(count: assetCount, seed: 1).assets()
                return {
                    let library = PhotoLibrary()
                    library.add(assets)
                    return library
                }
            },
            MicroBenchmark("assets.fetchNewestFirst") {
                let library = try library()
                let options = FetchOptions(sortDescriptors: [AssetSortDescriptor(.creationDate, ascending: false)])
                return { library.fetchAssets(with: .image, options: options).count }
            },
            MicroBenchmark("assets.fetchByPredicate") {
                let library = try library()
                let predicate = #Predicate<Asset> { $0.isFavorite && $0.pixelWidth > 4000 }
                // Reading the predicate is a part of it.
                return { library.fetchAssets(with: FetchOptions(predicate: try AssetPredicate(predicate))).count }
            },
            MicroBenchmark("assets.transaction", operations: editCount) {
                let library = try library()
                let identifiers = library.fetchAssets().prefix(editCount).map(\.identifier)
                return {
                    try library.changeAndWait { changes in
                        for identifier in identifiers { try changes.edit(identifier) { $0.isFavorite.toggle() } }
                    }
                    return library
                }
            },
            scatteredTransactions("assets.transactionsOf20Chunks", chunkCount: 20),
            scatteredTransactions("assets.transactionsOf100Chunks", chunkCount: 100),
        ]
    }

    /// Transactions of a hundred edits each, spread evenly over so many blocks of rows, as they are in libraries of ten
    /// thousand and of a million assets. There are enough of them for every block to merge its list of edits.
    private static func scatteredTransactions(_ name: String, chunkCount: Int) -> MicroBenchmark {
        let transactionCount = 32
        return MicroBenchmark(name, operations: transactionCount * editCount) {
            let library = try SyntheticLibrary(count: chunkCount * 504, seed: 1).library(albumCount: 10).library
            let identifiers = library.fetchAssets().map(\.identifier)
            return {
                for number in 0..<transactionCount {
                    try library.changeAndWait { changes in
                        for edit in 0..<editCount {
                            let position = (edit * identifiers.count / editCount + number * 7) % identifiers.count
                            try changes.edit(identifiers[position]) { edits in
                                edits.isFavorite.toggle()
                                if edit % 10 == 0 {
                                    edits.creationDate = edits.creationDate?.addingTimeInterval(Double(edit - 50))
                                }
                            }
                        }
                    }
                }
                return library
            }
        }
    }

    private static func library() throws -> PhotoLibrary {
        try SyntheticLibrary(count: assetCount, seed: 1).library(albumCount: 10).library
    }
}
