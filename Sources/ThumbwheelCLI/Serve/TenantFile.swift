import Foundation
import Thumbwheel
import ThumbwheelLocks
import ThumbwheelService

/// The users of a service, from a file of JSON: a list of objects with `name` and `tokens`, and, where they differ from the defaults,
/// `folder` (the part of the photographs that the user sees), `weight`, `waiting`, `dailyBytes` and `edits`.
struct TenantFile {
    private struct Entry: Decodable {
        var name: String
        var tokens: [String]
        var folder: String?
        var weight: Double?
        var waiting: Int?
        var dailyBytes: Int?
        var edits: Bool?
    }

    private let entries: [Entry]
    private let folders: [String]

    /// - Parameter folders: The folders of all photographs, which the entries' folders lie in: each in the first that has it.
    init(path: String, folders: [String]) throws(CommandError) {
        self.folders = folders
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandError("\(path) cannot be read")
        }
        do {
            entries = try JSONDecoder().decode([Entry].self, from: data)
        } catch {
            throw CommandError("\(path): no list of objects with name and tokens")
        }
        let tokens = entries.flatMap(\.tokens)
        guard !entries.isEmpty, Set(tokens).count == tokens.count, Set(entries.map(\.name)).count == entries.count,
            tokens.allSatisfy({ $0.utf8.count >= 16 })
        else {
            throw CommandError("\(path): each name and each token stands there once; tokens have 16 characters or more")
        }
    }

    func tenants(of library: PhotoLibrary) -> [ServiceTenant] {
        entries.map { entry in
            var (view, roots) = (library, [String]?.none)
            if let part = entry.folder {
                let candidates = folders.map {
                    URL(filePath: $0).appending(path: part).path(percentEncoded: false)
                }
                let own = candidates.lazy.compactMap(ServedFolders.resolved).first ?? candidates[0]
                view = library.view(for: FolderPolicy(own, of: library))
                // A link in the folder to another user's photographs is in the folder only by its name.
                roots = [own]
            }
            return ServiceTenant(
                name: entry.name, tokens: entry.tokens, library: view, weight: entry.weight ?? 1,
                waitingLimit: entry.waiting ?? 1024, dailyByteLimit: entry.dailyBytes,
                allowsEditing: entry.edits ?? true, roots: roots)
        }
    }
}
