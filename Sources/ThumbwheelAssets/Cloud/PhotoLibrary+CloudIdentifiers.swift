import ThumbwheelCore

extension PhotoLibrary {
    /// Returns the cloud identifiers of assets. For each asset whose digest (a hash of all bytes) the library does not
    /// know, the whole original is read. Several originals are read at the same time, so pass many identifiers in one
    /// call. See <doc:Semantics#Cloud-identifiers>.
    ///
    /// - Returns: a result for each local identifier. For an asset in Recently Deleted it is `.identifierNotFound`.
    /// - Complexity: linear in the number of bytes of the originals. An original whose digest is known takes constant
    ///   time.
    public func cloudIdentifierMappings(
        forLocalIdentifiers localIdentifiers: [String]
    ) async -> [String: Result<CloudIdentifier, CloudIdentifierError>] {
        await onReadingThread { self.cloudIdentifiers(localIdentifiers, $0) }
    }

    /// Returns the cloud identifiers of assets. The calling thread waits until their originals have been read.
    @available(*, noasync, message: "await cloudIdentifierMappings(forLocalIdentifiers:)")
    public func cloudIdentifierMappings(
        forLocalIdentifiers localIdentifiers: [String]
    ) -> [String: Result<CloudIdentifier, CloudIdentifierError>] {
        cloudIdentifiers(localIdentifiers, CancellationToken())
    }

    /// Returns the local identifiers of the assets with the given cloud identifiers. A cloud identifier contains the
    /// length of the original. An original is read only if it has one of these lengths, and if the library does not
    /// know its digest (a hash of all bytes).
    ///
    /// - Returns: a result for each cloud identifier.
    /// - Complexity: linear in the number of assets in the library, and in the number of bytes that are read.
    public func localIdentifierMappings(
        for cloudIdentifiers: [CloudIdentifier]
    ) async -> [CloudIdentifier: Result<String, CloudIdentifierError>] {
        await onReadingThread { self.localIdentifiers(cloudIdentifiers, $0) }
    }

    /// Returns the local identifiers of the assets with the given cloud identifiers. The calling thread waits until
    /// their originals have been read.
    @available(*, noasync, message: "await localIdentifierMappings(for:)")
    public func localIdentifierMappings(
        for cloudIdentifiers: [CloudIdentifier]
    ) -> [CloudIdentifier: Result<String, CloudIdentifierError>] {
        localIdentifiers(cloudIdentifiers, CancellationToken())
    }

    private func onReadingThread<Value: Sendable>(
        _ body: @escaping @Sendable (CancellationToken) -> Value
    ) async -> Value {
        let token = CancellationToken()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                BlockingThreads.reads.run { continuation.resume(returning: body(token)) }
            }
        } onCancel: {
            token.cancel()
        }
    }

    private func cloudIdentifiers(
        _ localIdentifiers: [String], _ token: CancellationToken
    ) -> [String: Result<CloudIdentifier, CloudIdentifierError>] {
        let (snapshot, view) = (snapshot, view)
        var results: [String: Result<CloudIdentifier, CloudIdentifierError>] = [:]
        var found: [String: UInt32] = [:]
        for text in localIdentifiers {
            guard let identifier = AssetIdentifier(localIdentifier: text), view.sees(identifier),
                let row = snapshot.row(of: identifier), !snapshot.flag(.trashed, of: row)
            else {
                results[text] = .failure(.identifierNotFound(text))
                continue
            }
            found[text] = row
        }
        let names = found.sorted { $0.value < $1.value }
        let outcomes = OriginalDigests(snapshot: snapshot, token: token).identifiers(of: names.map(\.value))
        for (name, outcome) in zip(names, outcomes) { results[name.key] = outcome }
        return results
    }

    private func localIdentifiers(
        _ identifiers: [CloudIdentifier], _ token: CancellationToken
    ) -> [CloudIdentifier: Result<String, CloudIdentifierError>] {
        let (snapshot, view) = (snapshot, view)
        let lengths = Set(identifiers.compactMap(\.byteCount))
        var rows: [UInt32] = []
        for (index, chunk) in snapshot.chunks.enumerated() where !lengths.isEmpty {
            let columns = chunk.columns
            columns.mask(.alive).forEachSlot { slot in
                guard lengths.contains(columns.originalFileSize(at: slot)), !columns[.trashed, slot],
                    view.sees(columns.identifier(at: slot))
                else { return }
                rows.append(Chunk.row(index, slot))
            }
        }
        var found: [CloudIdentifier: [String]] = [:]
        let outcomes = OriginalDigests(snapshot: snapshot, token: token).identifiers(of: rows)
        for (row, outcome) in zip(rows, outcomes) {
            // An asset whose original cannot be read is not a match.
            guard case .success(let identifier) = outcome else { continue }
            found[identifier, default: []].append(snapshot.identifier(of: row).localIdentifier)
        }
        var results: [CloudIdentifier: Result<String, CloudIdentifierError>] = [:]
        for identifier in identifiers {
            let names = found[identifier] ?? []
            results[identifier] =
                switch names.count {
                case 0: .failure(.identifierNotFound(identifier.stringValue))
                case 1: .success(names[0])
                default: .failure(.multipleIdentifiersFound(names))
                }
        }
        return results
    }
}
