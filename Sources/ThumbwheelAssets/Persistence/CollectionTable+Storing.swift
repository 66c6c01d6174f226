extension BlockWriter {
    mutating func write(_ identifier: CollectionIdentifier) {
        write(identifier.kind.rawValue)
        write(identifier.high)
        write(identifier.low)
    }

    mutating func write(_ record: CollectionRecord) {
        write(record.identifier)
        write(Int64(record.subtype))
        write(optional: record.title) { $0.write($1) }
        write(record.parent)
        write(record.sequence)
        write(record.changeNumber)
        write(optional: record.modified) { $0.write($1) }
        write(record.rows)
        write(each: record.children) { $0.write($1) }
    }
}

extension BlockReader {
    mutating func readCollectionIdentifier() throws(LibraryFileError) -> CollectionIdentifier {
        let number = try read(UInt8.self)
        guard let kind = CollectionIdentifier.Kind(rawValue: number) else {
            throw .malformed(reason: "there is no kind of collection \(number)")
        }
        return CollectionIdentifier(kind: kind, high: try read(), low: try read())
    }

    mutating func readCollectionRecord() throws(LibraryFileError) -> CollectionRecord {
        CollectionRecord(
            identifier: try readCollectionIdentifier(), subtype: try readInt(),
            title: try readOptional { reader throws(LibraryFileError) in try reader.readText() },
            parent: try readCollectionIdentifier(), sequence: try read(), changeNumber: try read(),
            modified: try readOptional { reader throws(LibraryFileError) in try reader.readDouble() },
            rows: try readArray(of: UInt32.self),
            children: try readEach(ofAtLeast: 17) { reader throws(LibraryFileError) in
                try reader.readCollectionIdentifier()
            })
    }

    /// Reads the albums and folders of a library. Files from format version 4 on contain the bytes that
    /// `CollectionTable.write` writes. Older files contain a list without checksums.
    mutating func readCollections() throws(LibraryFileError) -> (
        nextSequence: UInt64, root: CollectionRecord, records: [CollectionRecord]
    ) {
        guard version >= 4 else {
            let nextSequence: UInt64 = try read()
            let root = try readCollectionRecord()
            let records = try readEach(ofAtLeast: 85) { reader throws(LibraryFileError) in
                try reader.readCollectionRecord()
            }
            return (nextSequence, root, records)
        }
        let directory = try CollectionDirectory(from: &self)
        var records: [CollectionRecord] = []
        for entry in directory.entries {
            let start = position
            records.append(try readCollectionRecord())
            try Self.require(position - start == entry.byteCount, "a collection of another length")
        }
        let isSame = try readRaw(directory.trailingBytes.count).elementsEqual(directory.trailingBytes)
        try Self.require(isSame && !records.isEmpty, "two lists of collections that differ")
        let root = records.removeFirst()
        return (directory.nextSequence, root, records)
    }
}

extension CollectionTable {
    func write(to writer: inout BlockWriter) {
        let records = [root] + records
        let directory = CollectionDirectory(of: records, nextSequence: nextSequence)
        writer.write(raw: directory.bytes)
        for record in records { writer.write(record) }
        writer.write(raw: directory.trailingBytes)
    }

    /// Reads the albums and folders of a library. Throws if they contradict each other.
    ///
    /// - Parameter rowCount: the number of rows in the library. The row numbers in albums must be less than it.
    init(from reader: inout BlockReader, rowCount: Int) throws(LibraryFileError) {
        self.init()
        let (nextSequence, root, records) = try reader.readCollections()
        setNextSequence(nextSequence)
        try BlockReader.require(nextSequence < ChangeHistory.numberLimit, "more collections than could be")
        try BlockReader.require(root.identifier == .root, "no top level of folders")
        self[.root] = root
        for record in records {
            try BlockReader.require(self[record.identifier] == nil, "two collections of one identifier")
            self[record.identifier] = record
        }
        try requireTree(of: records.count)
        try requireMembers(of: records, rowCount: rowCount)
    }

    /// Checks that the collections form a tree. Each collection must be in exactly one folder, must name this folder as
    /// its parent, and must be reachable from the top level. The top level counts as a folder. Code that goes from
    /// folder to folder then always ends, because no folder is inside itself.
    private func requireTree(of count: Int) throws(LibraryFileError) {
        var visitedCount = 0
        var pending = [root]
        while let folder = pending.popLast() {
            for child in folder.children {
                visitedCount += 1
                guard child != .root, visitedCount <= count, let record = self[child],
                    record.parent == folder.identifier, record.isFolder || record.children.isEmpty
                else { throw .malformed(reason: "folders that are no tree") }
                pending.append(record)
            }
        }
        try BlockReader.require(visitedCount == count, "collections that are in no folder")
    }

    private func requireMembers(of records: [CollectionRecord], rowCount: Int) throws(LibraryFileError) {
        var holders = [Int32](repeating: -1, count: rowCount)
        for (index, record) in records.enumerated() {
            for row in record.rows {
                guard !record.isFolder, Int(row) < rowCount, Chunk.slot(of: row) < Chunk.rowCount,
                    holders[Int(row)] != Int32(truncatingIfNeeded: index)
                else { throw .malformed(reason: "an album of assets that are not there") }
                holders[Int(row)] = Int32(truncatingIfNeeded: index)
            }
        }
    }
}
