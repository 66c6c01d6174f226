import Foundation

/// The folders that a service is of.
enum ServedFolders {
    /// Leaves out the folders that lie in others, whose photographs would be there twice.
    static func outermost(_ folders: [String]) -> [String] {
        let paths = folders.map { folder in
            let path = resolved(folder) ?? folder
            return path.hasSuffix("/") ? path : path + "/"
        }
        return folders.indices.filter { index in
            !folders.indices.contains { other in
                paths[index].utf8.starts(with: paths[other].utf8)
                    && (paths[index] != paths[other] ? true : other < index)
            }
        }.map { folders[$0] }
    }

    /// The path with all symbolic links followed; nil if there is nothing at the path.
    static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
