import Foundation

/// Makes pictures whose bytes are part of an HTML page.
enum ContactSheet {
    /// - Parameter jpeg: the bytes of a JPEG file.
    static func picture(_ jpeg: Data, named name: String) -> Markup {
        // Base64 has no characters with a meaning in HTML, so nothing needs to be escaped.
        "<img alt=\"\(name)\" loading=\"lazy\" src=\"data:image/jpeg;base64,\(jpeg.base64EncodedString())\">"
    }
}
