extension ChangeHistory {
    /// A limit for numbers that count transactions or collections. It is so large that no library reaches it. A file
    /// with such a number at or above the limit is refused, so that adding one to a number from a file cannot overflow.
    static let numberLimit: UInt64 = 1 << 62

    func write(to writer: inout BlockWriter) {
        writer.write(each: timelines) { writer, timeline in
            writer.write(timeline.identifier)
            writer.write(timeline.start)
        }
        // The numbers of the entries are not written. They are consecutive, and the last is the number of the snapshot.
        writer.write(each: entries) { writer, entry in
            writer.write(optional: entry.details) { $0.write($1) }
        }
    }

    /// Reads a history from a block of a library's file.
    ///
    /// - Parameters:
    ///   - number: the number of the snapshot with which the history ends.
    ///   - byteLimit: the largest size of the history in memory, in bytes. An entry may take one byte in the file and
    ///     many bytes in memory. So whenever the entries that were read take more than this limit, the oldest ones are
    ///     removed, and reading goes on.
    init(from reader: inout BlockReader, number: UInt64, byteLimit: Int) throws(LibraryFileError) {
        timelines = try reader.readEach(ofAtLeast: 16) { reader throws(LibraryFileError) in
            Timeline(identifier: try reader.read(), start: try reader.read())
        }
        let starts = timelines.map(\.start)
        let isInOrder = zip(starts, starts.dropFirst()).allSatisfy { $0 <= $1 }
        try BlockReader.require(
            !starts.isEmpty && isInOrder && starts.allSatisfy { $0 <= number }, "a history out of order")
        let count = UInt64(try reader.readCount(ofAtLeast: 1))
        try BlockReader.require(count <= number, "a history of more than happened")
        for entryNumber in number - count..<number {
            let details = try reader.readOptional { reader throws(LibraryFileError) in try reader.readHistoryDetails() }
            append(Entry(number: entryNumber + 1, details: details), byteLimit: byteLimit)
        }
    }
}

extension BlockWriter {
    fileprivate mutating func write(_ details: ChangeHistory.Details) {
        for assets in [details.insertedAssets, details.updatedAssets, details.deletedAssets] {
            write(assets)
        }
        for collections in [details.insertedCollections, details.updatedCollections, details.deletedCollections] {
            write(each: collections) { $0.write($1) }
        }
    }
}

extension BlockReader {
    fileprivate mutating func readHistoryDetails() throws(LibraryFileError) -> ChangeHistory.Details {
        ChangeHistory.Details(
            insertedAssets: try readArray(of: AssetIdentifier.self),
            updatedAssets: try readArray(of: AssetIdentifier.self),
            deletedAssets: try readArray(of: AssetIdentifier.self),
            insertedCollections: try readCollectionIdentifiers(),
            updatedCollections: try readCollectionIdentifiers(), deletedCollections: try readCollectionIdentifiers())
    }

    private mutating func readCollectionIdentifiers() throws(LibraryFileError) -> [CollectionIdentifier] {
        try readEach(ofAtLeast: 17) { reader throws(LibraryFileError) in try reader.readCollectionIdentifier() }
    }
}
