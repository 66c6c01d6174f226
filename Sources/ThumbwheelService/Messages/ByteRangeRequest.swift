/// A single range of bytes that a client asks for (RFC 9110, section 14.1.2).
enum ByteRangeRequest: Equatable {
    /// All bytes: there is no `Range`, or one that a server may ignore, such as several ranges at once.
    case all
    /// These bytes.
    case part(Range<Int>)
    /// None of the bytes asked for exist.
    case unsatisfiable

    /// - Parameters:
    ///   - field: The value of `Range`.
    ///   - byteCount: The length of the representation.
    init(_ field: String?, of byteCount: Int) {
        self = .all
        guard let field, field.hasPrefix("bytes=") else { return }
        let ends = field.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, ends.allSatisfy({ $0.utf8.count <= 18 && $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } })
        else { return }
        switch (Int(ends[0]), Int(ends[1])) {
        case (nil, nil): return
        case (nil, let count?):
            self = count == 0 || byteCount == 0 ? .unsatisfiable : .part(max(0, byteCount - count)..<byteCount)
        case (let first?, let last):
            if let last, last < first { return }
            self = first >= byteCount ? .unsatisfiable : .part(first..<min(byteCount, (last ?? .max - 1) + 1))
        }
    }
}
