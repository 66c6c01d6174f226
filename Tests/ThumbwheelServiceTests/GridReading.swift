import Testing

@testable import ThumbwheelService

/// Reads the columns of a grid as a page does.
struct GridReading {
    struct Failure: Error {}

    private(set) var sections: [(day: Int, count: Int)] = []
    private(set) var addresses: [String] = []
    private(set) var aspects: [Int] = []
    private(set) var flags: [UInt8] = []
    private(set) var hashes: [[UInt8]] = []

    init(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        func take(_ count: Int) throws -> [UInt8] {
            guard rest.count >= count else { throw Failure() }
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
        func number(_ count: Int) throws -> Int { try take(count).reversed().reduce(0) { $0 << 8 | Int($1) } }
        guard try take(4) == Array("TWG1".utf8) else { throw Failure() }
        let (count, sectionCount) = (try number(4), try number(4))
        for _ in 0..<sectionCount {
            let day = Int(Int32(truncatingIfNeeded: try number(4)))
            sections.append((day, try number(4)))
        }
        let names = try (0..<count).map { _ in Base64URL.text(try take(16)) }
        let versions = try (0..<count).map { _ in Base64URL.text(try take(6)) }
        addresses = zip(names, versions).map { "/a/\($0)/\($1)" }
        aspects = try (0..<count).map { _ in try number(2) }
        flags = try take(count)
        let lengths = try take(count)
        hashes = try lengths.map { try take(Int($0)) }
        guard rest.isEmpty else { throw Failure() }
    }
}
