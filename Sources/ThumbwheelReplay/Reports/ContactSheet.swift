import Foundation

/// Pictures inside a page, as part of it.
enum ContactSheet {
    /// - Parameter jpeg: the bytes of a file.
    static func picture(_ jpeg: Data, named name: String) -> Markup {
        // The digits of base 64 are none that HTML gives a meaning.
        "<img alt=\"\(name)\" loading=\"lazy\" src=\"data:image/jpeg;base64,\(jpeg.base64EncodedString())\">"
    }
}
