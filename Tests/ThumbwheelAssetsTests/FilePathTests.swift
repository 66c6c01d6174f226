import Testing

@testable import ThumbwheelAssets

@Suite("Paths as bytes: folders, names and what lies below")
struct FilePathTests {
    @Test(
        "An item of a folder is known by the folder's bytes and the name's",
        arguments: [
            ("/photos/a.jpg", "/photos", "a.jpg", true), ("/photos/a.jpg", "/photo", "a.jpg", false),
            ("/photos/a.jpg", "/photos", "b.jpg", false), ("/photos/b/a.jpg", "/photos", "a.jpg", false),
            ("/photos/b/a.jpg", "/photos", "b/a.jpg", true), ("/photosXa.jpg", "/photos", "a.jpg", false),
            ("/a.jpg", "", "a.jpg", true), ("/photos/", "/photos", "", true), ("", "", "", false),
            ("/pho\u{E9}/a", "/phoe\u{301}", "a", false),
        ])
    func items(path: String, folder: String, name: String, isItem: Bool) {
        #expect(FilePath(path).isItem(ofFolder: folder, named: Array(name.utf8)[...]) == isItem)
    }

    @Test(
        "A path lies below a folder if a slash follows the folder's bytes",
        arguments: [
            ("/a/b", "/a", true), ("/a/b", "/a/", true), ("/ab", "/a", false), ("/a", "/a", false), ("/a", "/", true),
            ("/", "/", true), ("a", "/a", false), ("/a/\u{301}b", "/a", true),
        ])
    func below(path: String, folder: String, isBelow: Bool) {
        #expect(FilePath(path).isBelow(FilePath(folder)) == isBelow)
    }

    @Test(
        "The last component ends before the slashes at the end",
        arguments: [
            ("/a/b.jpg", "b.jpg"), ("/a/b//", "b"), ("b", "b"), ("/", "/"), ("//", "//"), ("", ""),
            ("/a/\u{301}b", "\u{301}b"),
        ])
    func lastComponents(path: String, component: String) {
        #expect(Array(FilePath(path).lastComponent.utf8) == Array(component.utf8))
    }
}
