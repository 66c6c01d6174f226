import ThumbwheelCore

/// The gallery: one page with its styles and its scripts, compiled into the product from the files of `Page`.
enum GalleryPage {
    static let bytes = Array(
        text(PackageResources.gallery_html)
            .replacing("<style></style>", with: "<style>\n" + text(PackageResources.gallery_css) + "</style>")
            .replacing(
                "<script></script>", with: "<script>\n" + scripts.map(text).joined(separator: "\n") + "</script>"
            )
            .utf8)

    /// The scripts in the order in which the page runs them: the later ones use the earlier ones as soon as they run.
    private static let scripts = [
        PackageResources.start_js, PackageResources.photos_js, PackageResources.placeholders_js,
        PackageResources.loader_js, PackageResources.previews_js, PackageResources.grid_js, PackageResources.frames_js,
        PackageResources.selection_js, PackageResources.favorites_js, PackageResources.viewer_js,
        PackageResources.address_js, PackageResources.albums_js, PackageResources.list_js, PackageResources.changes_js,
        PackageResources.recording_js, PackageResources.main_js,
    ]

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    static let tag = "\"" + String(XXHash64.digest(bytes), radix: 36) + "\""

    /// Everything comes from the service itself. Scripts and styles stand in the page, which has nothing of a library's in it: names
    /// and titles come later, as texts.
    static let securityPolicy =
        "default-src 'none'; connect-src 'self'; img-src 'self' blob: data:; media-src 'self'; "
        + "script-src 'unsafe-inline'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
        + "frame-ancestors 'self'"
}
