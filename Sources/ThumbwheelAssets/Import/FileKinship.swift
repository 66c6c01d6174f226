/// The facts in a file's path that tell which files belong to one photograph: those with the same name in the same folder, but
/// for their extensions. A phone's `IMG_E1234` is the rendering of `IMG_1234`.
struct FileKinship {
    /// The path without the extension; for a rendering, that of its original.
    let key: String
    /// Whether the name is that of a rendering.
    let isRendering: Bool
    /// Whether the file is the recipe of an adjustment (Apple's `AAE`), which only its extension shows.
    let isRecipe: Bool

    private static let rendering = [UInt8]("IMG_E".utf8)

    init(_ path: FilePath) {
        let bytes = [UInt8](path.text.utf8)
        let start = (bytes.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1
        let end = bytes[start...].lastIndex(of: UInt8(ascii: ".")) ?? bytes.endIndex
        isRecipe = bytes[end...].map { $0 & 0xDF }.elementsEqual([0x2E & 0xDF] + "AAE".utf8)
        let name = bytes[start..<end]
        let number = name.dropFirst(Self.rendering.count)
        isRendering = name.starts(with: Self.rendering) && number.first.map { 0x30...0x39 ~= $0 } ?? false
        // The letter before the number marks the rendering.
        let stem = isRendering ? name.prefix(Self.rendering.count - 1) + number : name
        key = String(decoding: bytes[..<start] + stem, as: UTF8.self)
    }
}
