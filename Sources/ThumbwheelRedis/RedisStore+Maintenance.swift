import ThumbwheelCaching

// MARK: Looking after a store

extension RedisStore {
    /// The most names that are asked for at once.
    private static let pageCount = 256
    /// The most values that `verify` asks for before their answers have come. The server holds their bytes in memory together;
    /// the answers to a page of names are in memory here.
    private static let valueCount = 32

    /// Counts the store's values on the server of its address. Takes time in proportion to all keys of the server. Of a
    /// cluster, only that server is looked at.
    ///
    /// - Throws: `RedisError` if the server cannot be used, or takes longer than `Configuration.maintenanceTimeout` for an
    ///   answer.
    public func contents() async throws(RedisError) -> RedisStoreContents {
        var contents = try await serverFacts()
        var seen: Set<SharedKey> = []
        var cursor: String? = "0"
        while let place = cursor {
            let page = try await page(from: place)
            cursor = page.next
            // A server whose table of keys grows meanwhile may list a key twice.
            let values = page.names.filter { name in key(named: name).map { seen.insert($0).inserted } ?? false }
            let replies = try await ask(
                values.flatMap {
                    [RedisCommand("STRLEN").with($0), RedisCommand("GETRANGE").with($0).with("1").with("1")]
                })
            for index in values.indices {
                guard case .integer(let length) = replies[2 * index], length > 0 else { continue }
                contents.entryCount += 1
                contents.valueByteCount += max(0, length - RedisValue.headByteCount)
                if replies[2 * index + 1].value == [1] { contents.negativeCount += 1 }
            }
        }
        return contents
    }

    /// Reads every value of the server of the store's address, and removes the damaged ones.
    ///
    /// - Throws: `RedisError` if the server cannot be used, or takes longer than `Configuration.maintenanceTimeout` for an
    ///   answer.
    public func verify() async throws(RedisError) -> RedisStoreContents {
        var damagedCount = 0
        var cursor: String? = "0"
        while let place = cursor {
            let page = try await page(from: place)
            cursor = page.next
            let values = page.names.compactMap { name in key(named: name).map { (name: name, key: $0) } }
            let replies = try await ask(values.map { RedisCommand("GET").with($0.name) }, atMost: Self.valueCount)
            // What has gone since it was listed is not damaged.
            let damaged = zip(values, replies).filter { value, reply in
                reply != .null && reply.value.flatMap { RedisValue.value(in: $0, for: value.key) } == nil
            }
            damagedCount += damaged.count
            if !damaged.isEmpty { _ = try await ask(damaged.map { RedisCommand("UNLINK").with($0.0.name) }) }
        }
        var contents = try await contents()
        contents.damagedCount = damagedCount
        return contents
    }

    /// Removes all values and claims of the store from the server of its address. What others keep on the server stays.
    ///
    /// - Throws: `RedisError` if the server cannot be used, or takes longer than `Configuration.maintenanceTimeout` for an
    ///   answer.
    public func removeAll() async throws(RedisError) {
        var cursor: String? = "0"
        while let place = cursor {
            let page = try await page(from: place)
            cursor = page.next
            if !page.names.isEmpty { _ = try await ask(page.names.map { RedisCommand("UNLINK").with($0) }) }
        }
    }

    // MARK: Talking to the server

    /// A page of the names that begin as this store's do, and where the next begins; nil at the end.
    private func page(from cursor: String) async throws(RedisError) -> (names: [[UInt8]], next: String?) {
        let command = RedisCommand("SCAN", cursor, "MATCH", pattern, "COUNT", "\(Self.pageCount)")
        guard case .array(let parts) = try await ask([command])[0], parts.count == 2, let next = parts[0].value,
            case .array(let names) = parts[1]
        else { throw .malformed }
        let text = String(decoding: next, as: UTF8.self)
        return (names.compactMap(\.value), text == "0" ? nil : text)
    }

    /// The pattern of this store's names, as `SCAN` reads it.
    private var pattern: String {
        configuration.prefix.map { "*?[]\\^".contains($0) ? "\\\($0)" : "\($0)" }.joined() + ":{*"
    }

    private func serverFacts() async throws(RedisError) -> RedisStoreContents {
        let reply = try await ask([RedisCommand("INFO", "memory")])[0]
        var contents = RedisStoreContents()
        for line in String(decoding: reply.value ?? [], as: UTF8.self).split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            switch parts[0] {
            case "used_memory": contents.usedByteCount = Int(parts[1]) ?? 0
            case "maxmemory": contents.byteLimit = Int(parts[1]) ?? 0
            case "maxmemory_policy": contents.evictionPolicy = String(parts[1])
            default: break
            }
        }
        return contents
    }

    /// - Parameter count: the most commands that are sent before the answers to earlier ones have come.
    private func ask(
        _ commands: [RedisCommand], atMost count: Int = .max
    ) async throws(RedisError) -> [RedisReply] {
        var replies: [RedisReply] = []
        var rest = commands[...]
        while !rest.isEmpty {
            let part = Array(rest.prefix(count))
            rest = rest.dropFirst(part.count)
            let answers = await withCheckedContinuation { continuation in
                maintenance.send(part, for: []) { continuation.resume(returning: $0) }
            }
            guard let answers else { throw maintenance.failure ?? .disconnected(reason: "the store is closed") }
            replies += answers
        }
        return replies
    }
}
