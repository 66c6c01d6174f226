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
    func keepFilesOutOfReach(_ walk: inout FolderWalk, _ run: inout Run, isScan: Bool) {
        if run.volumes.isEmpty, walk.mountPoints.isEmpty { return }
        var volumes = run.volumes
        let paths = withKnownFiles(&run) { [walk] known in
            volumes.update(
                after: walk, isScan: isScan, isKnown: { known.row(recordedAt: $0) != nil }, device: device)
        }
        run.volumes = volumes
        walk.noteOutOfReach(paths)
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
        known.rows(below: [folder]) { row, _ in !known.snapshot.flag(.trashed, of: row) }.isEmpty == false
    }
}
