/// The bytes that a fetch brings: a picture's file, or a part of it.
package struct FilePart: Hashable, Sendable {
    let picture: RenditionKey.Subject
    let extent: FetchExtent

    init(_ picture: RenditionKey.Subject, _ extent: FetchExtent = .whole) {
        self.picture = picture
        self.extent = extent
    }
}
