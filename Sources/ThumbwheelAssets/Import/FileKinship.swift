/// The parts of a file's path that show to which photograph the file belongs. The files of one photograph are in the
/// same folder and have the same name, except for the extension. A phone's `IMG_E1234` is the rendering (the edited
/// picture) of `IMG_1234`.
struct FileKinship {
    /// The path without the extension. For a rendering, it is the path of the original without the extension.
    let key: String
    /// Whether the file has the name of a rendering (an edited picture).
    let isRendering: Bool
    /// Whether the file is a recipe for an edit: adjustment data in a file of Apple's type `AAE`. Such a file is
    /// recognized by its extension alone.
    let isAdjustmentData: Bool

    private static let rendering = [UInt8]("IMG_E".utf8)

    init(_ path: FilePath) {
        let bytes = [UInt8](path.text.utf8)
        let start = (bytes.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1
        let end = bytes[start...].lastIndex(of: UInt8(ascii: ".")) ?? bytes.endIndex
        isAdjustmentData = bytes[end...].map { $0 & 0xDF }.elementsEqual([0x2E & 0xDF] + "AAE".utf8)
        let name = bytes[start..<end]
        let number = name.dropFirst(Self.rendering.count)
        isRendering = name.starts(with: Self.rendering) && number.first.map { 0x30...0x39 ~= $0 } ?? false
        // The name of a rendering is the name of the original with the letter E before the number: `IMG_E1234` for
        // `IMG_1234`. The stem is the name without this letter.
        let stem = isRendering ? name.prefix(Self.rendering.count - 1) + number : name
        key = String(decoding: bytes[..<start] + stem, as: UTF8.self)
    }
}
