import ThumbwheelCore

/// The gallery: one page with its styles and its script, compiled into the product.
enum GalleryPage {
    static let bytes = PackageResources.gallery_html

    static let tag = "\"" + String(XXHash64.digest(bytes), radix: 36) + "\""

    /// Everything comes from the service itself. Script and styles stand in the page, which has nothing of a library's in it: names
    /// and titles come later, as texts.
    static let securityPolicy =
        "default-src 'none'; connect-src 'self'; img-src 'self' blob: data:; media-src 'self'; "
        + "script-src 'unsafe-inline'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
        + "frame-ancestors 'self'"
}
