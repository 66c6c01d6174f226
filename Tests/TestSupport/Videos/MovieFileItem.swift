/// An item of a movie's metadata.
package struct MovieFileItem {
    /// The name of the key for QuickTime's items, or the four characters of an iTunes item.
    package var key: String
    /// The type of the value: 1 for text, 13 for a JPEG, 21 and 22 for integers, 23 for a fraction of four bytes.
    package var type: Int
    package var value: [UInt8]

    package init(_ key: String, type: Int = 1, _ value: [UInt8]) {
        (self.key, self.type, self.value) = (key, type, value)
    }

    package init(_ key: String, _ text: String) {
        self.init(key, [UInt8](text.utf8))
    }

    private var data: [UInt8] { BoxBytes.box("data", BoxBytes.big(type, 4) + BoxBytes.big(0, 4) + value) }

    /// A metadata box with keys and values.
    package static func metadata(_ items: [MovieFileItem], isFull: Bool = false) -> [UInt8] {
        let keys = items.flatMap { item in
            BoxBytes.big(item.key.utf8.count + 8, 4) + BoxBytes.kind("mdta" + item.key)
        }
        let values = items.enumerated().flatMap { index, item in
            BoxBytes.big(item.data.count + 8, 4) + BoxBytes.big(index + 1, 4) + item.data
        }
        let payload =
            handler("mdta") + BoxBytes.full("keys", BoxBytes.big(items.count, 4) + keys) + BoxBytes.box("ilst", values)
        return isFull ? BoxBytes.full("meta", payload) : BoxBytes.box("meta", payload)
    }

    /// A metadata box as iTunes writes it.
    package static func iTunes(_ items: [MovieFileItem]) -> [UInt8] {
        BoxBytes.full(
            "meta", handler("mdir") + BoxBytes.box("ilst", items.flatMap { BoxBytes.box($0.key, $0.data) }))
    }

    static func handler(_ kind: String) -> [UInt8] {
        BoxBytes.full("hdlr", BoxBytes.big(0, 4) + BoxBytes.kind(kind) + [UInt8](repeating: 0, count: 13))
    }
}
