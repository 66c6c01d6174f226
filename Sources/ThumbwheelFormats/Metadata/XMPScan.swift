/// A scan of an XMP packet for the wanted properties. A property is an attribute, or an element with text, at any
/// depth. The text may also be that of list items inside the element.
///
/// The scan goes over the bytes once and needs little memory. It is no XML parser: of a packet that is not well-formed,
/// it returns the properties that look valid.
struct XMPScan {
    private let bytes: [UInt8]
    private var position = 0
    /// The open elements, from the outermost. For an element of RDF's list syntax, this is the property around it.
    private var open: [XMPName?] = []
    /// Whether `position` is inside a start tag, so that attributes come next.
    private var isInTag = false
    /// The usual prefix for each unusual prefix that the packet uses for a known namespace.
    private var aliases: [[UInt8]: [UInt8]] = [:]

    /// The greatest depth of elements; deeper ones end the scan.
    private static let depthLimit = 64
    /// The greatest number of prefixes that are stored.
    private static let aliasLimit = 32

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Returns the next wanted property and its value; nil at the end.
    mutating func next() -> (name: XMPName, value: ArraySlice<UInt8>)? {
        while position < bytes.count {
            if isInTag {
                if let found = nextAttribute() { return found }
            } else if bytes[position] == UInt8(ascii: "<") {
                guard enterTag() else { return nil }
            } else if let found = nextText() {
                return found
            }
        }
        return nil
    }

    /// Reads the start of a tag; false if the packet ends, or is too deep.
    private mutating func enterTag() -> Bool {
        position += 1
        guard position < bytes.count else { return false }
        switch bytes[position] {
        case UInt8(ascii: "?"), UInt8(ascii: "!"):
            skip(past: UInt8(ascii: ">"))
        case UInt8(ascii: "/"):
            _ = open.popLast()
            skip(past: UInt8(ascii: ">"))
            // The packet ends with its outermost element; padding follows.
            if open.isEmpty { return false }
        default:
            guard open.count < Self.depthLimit else { return false }
            let name = self.name()
            open.append(name.starts(with: "rdf:".utf8) ? open.last ?? nil : property(name))
            isInTag = true
        }
        return true
    }

    /// Reads the next attribute of the tag, or the tag's end; nil unless the attribute is wanted.
    private mutating func nextAttribute() -> (name: XMPName, value: ArraySlice<UInt8>)? {
        skipBlanks()
        guard position < bytes.count else { return nil }
        switch bytes[position] {
        case UInt8(ascii: ">"):
            isInTag = false
            position += 1
            return nil
        case UInt8(ascii: "/"):
            if position + 1 < bytes.count, bytes[position + 1] == UInt8(ascii: ">") {
                _ = open.popLast()
                isInTag = false
            }
            position += isInTag ? 1 : 2
            return nil
        default: break
        }
        let name = self.name()
        skipBlanks()
        guard position < bytes.count, bytes[position] == UInt8(ascii: "=") else {
            // A name without a value is skipped, and so is a character that begins no name.
            if name.isEmpty { position += 1 }
            return nil
        }
        position += 1
        skipBlanks()
        guard position < bytes.count, bytes[position] == 0x22 || bytes[position] == 0x27 else { return nil }
        let quote = bytes[position]
        position += 1
        let start = position
        while position < bytes.count, bytes[position] != quote { position += 1 }
        let value = bytes[start..<position]
        position += 1
        if name.starts(with: "xmlns:".utf8) { declare(name.dropFirst(6), value) }
        return property(name).map { ($0, value.prefix(XMPPacket.lengthLimit)) }
    }

    /// Reads the text up to the next tag; nil unless the text belongs to a wanted property and is not blank.
    private mutating func nextText() -> (name: XMPName, value: ArraySlice<UInt8>)? {
        let start = position
        while position < bytes.count, bytes[position] != UInt8(ascii: "<") { position += 1 }
        guard let name = open.last ?? nil else { return nil }
        let text = bytes[start..<position].drop(while: Self.isBlank).prefix(XMPPacket.lengthLimit)
        guard let last = text.lastIndex(where: { !Self.isBlank($0) }) else { return nil }
        return (name, text[...last])
    }

    private mutating func name() -> ArraySlice<UInt8> {
        let start = position
        while position < bytes.count, !Self.isBlank(bytes[position]), bytes[position] != UInt8(ascii: "="),
            bytes[position] != UInt8(ascii: ">"), bytes[position] != UInt8(ascii: "/")
        {
            position += 1
        }
        return bytes[start..<position]
    }

    /// Stores the prefix of a known namespace if it is not the usual one.
    private mutating func declare(_ prefix: ArraySlice<UInt8>, _ namespace: ArraySlice<UInt8>) {
        guard aliases.count < Self.aliasLimit, namespace.count <= XMPPacket.lengthLimit,
            let usual = XMPName.prefixes[String(decoding: namespace, as: UTF8.self)], !prefix.elementsEqual(usual.utf8)
        else { return }
        aliases[[UInt8](prefix)] = [UInt8](usual.utf8)
    }

    private func property(_ name: ArraySlice<UInt8>) -> XMPName? {
        guard !aliases.isEmpty, let colon = name.firstIndex(of: UInt8(ascii: ":")),
            let usual = aliases[[UInt8](name[..<colon])]
        else { return XMPName(name) }
        return XMPName(usual + name[colon...])
    }

    private mutating func skip(past byte: UInt8) {
        while position < bytes.count, bytes[position] != byte { position += 1 }
        position += 1
    }

    private mutating func skipBlanks() {
        while position < bytes.count, Self.isBlank(bytes[position]) { position += 1 }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }
}
