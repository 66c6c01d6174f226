/// Small ICC profiles: a header, a tag table with the description only, the description.
enum ICCBytes {
    static func versionTwo(name: String, colorSpace: String = "RGB ") -> [UInt8] {
        let text: [UInt8] = .text(name) + [0]
        return profile(colorSpace, tag: .text("desc") + .zeros(4) + .big(text.count, 4) + text)
    }

    static func versionFour(names: [(language: String, name: String)], colorSpace: String = "RGB ") -> [UInt8] {
        var records: [UInt8] = []
        var texts: [UInt8] = []
        for (language, name) in names {
            let text = name.utf16.flatMap { [UInt8].big(Int($0), 2) }
            records += .text(language) + .text("XX") + .big(text.count, 4)
            records += .big(16 + 12 * names.count + texts.count, 4)
            texts += text
        }
        let head: [UInt8] = .text("mluc") + .zeros(4) + .big(names.count, 4) + .big(12, 4)
        return profile(colorSpace, tag: head + records + texts)
    }

    private static func profile(_ colorSpace: String, tag: [UInt8]) -> [UInt8] {
        var header: [UInt8] = .zeros(128)
        header.replaceSubrange(0..<4, with: [UInt8].big(144 + tag.count, 4))
        header.replaceSubrange(16..<20, with: [UInt8].text(colorSpace))
        header.replaceSubrange(36..<40, with: [UInt8].text("acsp"))
        return header + .big(1, 4) + .text("desc") + .big(144, 4) + .big(tag.count, 4) + tag
    }
}
