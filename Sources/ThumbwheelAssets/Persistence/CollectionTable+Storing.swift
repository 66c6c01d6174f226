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
}

extension CollectionTable {
    func write(to writer: inout BlockWriter) {
        writer.write(nextSequence)
        writer.write(root)
        writer.write(each: records) { $0.write($1) }
    }

    /// - Parameter rowCount: of the library: what albums may hold.
    init(from reader: inout BlockReader, rowCount: Int) throws(LibraryFileError) {
        self.init()
        setNextSequence(try reader.read())
        try BlockReader.require(nextSequence < ChangeHistory.endOfTime, "more collections than could be")
        let root = try reader.readCollectionRecord()
        try BlockReader.require(root.identifier == .root, "no top level of folders")
        self[.root] = root
        let records = try reader.readEach(ofAtLeast: 85) { reader throws(LibraryFileError) in
            try reader.readCollectionRecord()
        }
        for record in records {
            try BlockReader.require(self[record.identifier] == nil, "two collections of one identifier")
            self[record.identifier] = record
        }
        try requireTree(of: records.count)
        try requireMembers(of: records, rowCount: rowCount)
    }

    /// Every collection is in one folder, the one it names, and all are below the top: who follows them comes to an end.
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
