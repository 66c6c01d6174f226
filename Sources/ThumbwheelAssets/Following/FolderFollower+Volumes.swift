import ThumbwheelCore

/// The volumes that are mounted inside the followed folder, and the question whether files are gone or out of reach.
extension FolderFollower {
    /// A search that knows the kernel's device numbers.
    var newWalk: FolderWalk {
        var walk = FolderWalk(token: token)
        walk.deviceOf = { [kernel] in kernel.device(of: $0, $1) }
        return walk
    }

    func device(_ path: FilePath) -> UInt64? {
        guard let status = try? FileStatus(path: path.text), status.kind == .folder else { return nil }
        return kernel.device(of: path, status)
    }

    /// Finds out which volumes are not mounted, so that the import does not take their files for removed ones.
    ///
    /// - Parameters:
    ///   - changed: the paths among which files were searched; nil if the search went through the whole folder.
    ///   - isFirst: whether nothing is known of the folder's volumes yet. Then a folder that is empty although the
    ///     library has assets below it counts as the mount point of a volume that is not mounted.
    func keepFilesOutOfReach(
        _ walk: inout FolderWalk, _ run: inout Run, of changed: [FilePath]?, isFirst: Bool
    ) {
        let emptyFolders: Set =
            isFirst ? walk.emptyFolders.filter { $0 != folder && walk.mountPoints[$0] == nil } : []
        if run.volumes.isEmpty, walk.mountPoints.isEmpty, emptyFolders.isEmpty { return }
        var volumes = run.volumes
        withKnownFiles(&run) { [walk] known in
            if !emptyFolders.isEmpty {
                let files = Self.assetFiles(below: Array(emptyFolders), known)
                volumes.add(
                    emptyFolders: emptyFolders.filter { folder in files.contains { $0.isBelow(folder) } },
                    device: device)
            }
            let assets = InnerVolumes.Assets(
                isKnown: { known.row(recordedAt: $0) != nil }, files: { Self.assetFiles(below: [$0], known) })
            volumes.update(after: walk, of: changed, assets, device: device)
        }
        run.volumes = volumes
        walk.noteOutOfReach(folders: volumes.foldersOutOfReach, files: volumes.filesOutOfReach)
    }

    /// Tells the host program of volumes that have assets and are no longer mounted, once for each.
    func reportVolumes(_ run: inout Run) {
        if run.volumes.isEmpty { return }
        var volumes = run.volumes
        let paths = withKnownFiles(&run) { known in
            volumes.takeUnreported { Self.hasAssets(below: $0, known) }
        }
        run.volumes = volumes
        for path in paths { calls.call(with: .folderVanished(path: path.text)) }
    }

    func withKnownFiles<Value>(_ run: inout Run, _ body: (KnownFiles) -> Value) -> Value {
        var known = run.known.take() ?? KnownFiles(library.snapshot)
        known.update(to: library.snapshot)
        defer { run.known = known }
        return body(known)
    }

    /// Returns whether the library has assets outside Recently Deleted whose files are below a folder.
    static func hasAssets(below folder: FilePath, _ known: KnownFiles) -> Bool {
        !assetFiles(below: [folder], known).isEmpty
    }

    /// Returns the main files below folders, of assets outside Recently Deleted.
    private static func assetFiles(below folders: [FilePath], _ known: KnownFiles) -> [FilePath] {
        known.rows(below: folders) { row, _ in !known.snapshot.flag(.trashed, of: row) }.map(\.path)
    }
}
