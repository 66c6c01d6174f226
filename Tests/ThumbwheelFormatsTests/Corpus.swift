import Foundation

/// Folders of real and of hostile files that lie beside the package on some machines.
enum Corpus {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "shared")

    static func paths(_ folder: String) -> [String] {
        let folder = root.appending(path: folder).path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.sorted().map { folder + "/" + $0 }
    }

    static func exists(_ folder: String) -> Bool { !paths(folder).isEmpty }
}
