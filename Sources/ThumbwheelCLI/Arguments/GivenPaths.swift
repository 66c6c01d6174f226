import Foundation
import Thumbwheel

/// Files by the names that the command line gave them: a library keeps where they really are.
struct GivenPaths: Sendable {
    private let roots: [(canonical: String, given: String)]

    init(_ paths: [String]) {
        roots = paths.compactMap { given in
            guard let resolved = realpath(given, nil) else { return nil }
            defer { free(resolved) }
            return (String(cString: resolved), given)
        }
    }

    /// The path of a file below one of the given ones, as it would be written from there.
    func text(of path: String) -> String {
        for (canonical, given) in roots {
            if path == canonical { return given }
            let prefix = canonical.hasSuffix("/") ? canonical : canonical + "/"
            guard path.hasPrefix(prefix) else { continue }
            return (given.hasSuffix("/") ? given : given + "/") + path.dropFirst(prefix.count)
        }
        return path
    }

    func text(of asset: Asset) -> String {
        if case .file(let path) = asset.resource.source { text(of: path) } else { asset.originalFilename }
    }
}
