/// Reads the fields of a message one after another. The message may come from a decoder process that a malicious file
/// has taken control of, so every field is checked before it is used.
struct MessageReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    mutating func byte() throws(MessageError) -> UInt8 {
        guard let byte = rest.popFirst() else { throw MessageError() }
        return byte
    }

    mutating func flag() throws(MessageError) -> Bool {
        switch try byte() {
        case 0: return false
        case 1: return true
        default: throw MessageError()
        }
    }

    mutating func number() throws(MessageError) -> Int {
        guard rest.count >= 8 else { throw MessageError() }
        let bits = rest.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        rest = rest.dropFirst(8)
        return Int(Int64(bitPattern: bits))
    }

    /// Reads a number that must lie within bounds.
    mutating func number(in bounds: ClosedRange<Int>) throws(MessageError) -> Int {
        let number = try number()
        guard bounds.contains(number) else { throw MessageError() }
        return number
    }

    mutating func fraction() throws(MessageError) -> Double {
        Double(bitPattern: UInt64(bitPattern: Int64(try number())))
    }

    /// Reads a block of at most `limit` bytes.
    mutating func block(atMost limit: Int) throws(MessageError) -> [UInt8] {
        let count = try number(in: 0...limit)
        guard rest.count >= count else { throw MessageError() }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    /// Reads a text of at most `limit` bytes. Bytes that are no UTF-8 are replaced.
    mutating func text(atMost limit: Int) throws(MessageError) -> String {
        String(decoding: try block(atMost: limit), as: UTF8.self)
    }

    /// Reads a value of an enumeration.
    mutating func value<Value: CaseIterable>(of type: Value.Type) throws(MessageError) -> Value {
        let index = Int(try byte())
        guard index < type.allCases.count else { throw MessageError() }
        return type.allCases[type.allCases.index(type.allCases.startIndex, offsetBy: index)]
    }

    /// Checks that nothing follows the last field.
    func end() throws(MessageError) {
        guard rest.isEmpty else { throw MessageError() }
    }
}
