/// The volumes below a followed folder, and whether each of them is mounted.
///
/// While a volume is not mounted, its files are out of reach, but they are not gone. An empty folder may be at its
/// mount point meanwhile, or nothing, or another volume. A volume is recognized by its device number, because a folder
/// on a volume is on another device than the folder above it.
struct InnerVolumes {
    /// A folder on another device than the folder above it, as a search has found it.
    struct MountPoint: Equatable {
        let device: UInt64
        /// Whether a symbolic link leads to the folder.
        let isLink: Bool
    }

    /// The main files of the library's assets.
    struct Assets {
        /// Returns whether an asset has its file at a path.
        let isKnown: (FilePath) -> Bool
        /// Returns the files below a folder, of assets outside Recently Deleted.
        let files: (_ folder: FilePath) -> [FilePath]
    }

    private struct Volume {
        /// The device number that the volume had when it was last found; nil for a folder that was empty at the first
        /// scan, which may be the mount point of a volume.
        var device: UInt64?
        let isLink: Bool
        /// The device number of the folder that the last scan found at the path; nil if it found no folder.
        var foundDevice: UInt64?
        /// The files of the volumes that were mounted at the same path before: a set for each volume.
        var filesOfOthers: [Set<FilePath>] = []
        var isAway = false
        /// Whether the host program has yet to be told that the volume is not mounted.
        var isUnreported = false

        init(_ mountPoint: MountPoint) {
            (device, isLink, foundDevice) = (mountPoint.device, mountPoint.isLink, mountPoint.device)
        }

        init(emptyFolder: FilePath, on device: UInt64?) {
            (isLink, foundDevice) = (FolderWalk.isLink(emptyFolder), device)
            (isAway, isUnreported) = (true, true)
        }

        /// Notes that a volume is mounted. If it has none of the files of the volume that was mounted before, it is
        /// another one, and those files stay out of reach until one of them is found again.
        mutating func mount(_ device: UInt64, with files: Set<FilePath>, _ assets: Assets, at path: FilePath) {
            let isBack = files.contains { file in
                assets.isKnown(file) && !filesOfOthers.contains { $0.contains(file) }
            }
            var outOfReach = isBack ? [] : Set(assets.files(path))
            for others in filesOfOthers { outOfReach.subtract(others) }
            if outOfReach.isEmpty { isUnreported = false } else { filesOfOthers.append(outOfReach) }
            filesOfOthers.removeAll { !$0.isDisjoint(with: files) }
            (self.device, isAway) = (device, false)
        }

        /// Notes files that were found on the mounted volume. They are its own, even if another volume had a file at
        /// the same path.
        mutating func found(_ files: Set<FilePath>) {
            for index in filesOfOthers.indices where !filesOfOthers[index].isDisjoint(with: files) {
                filesOfOthers[index].subtract(files)
            }
        }
    }

    private var volumes: [FilePath: Volume] = [:]

    var isEmpty: Bool { volumes.isEmpty }

    func contains(_ path: FilePath) -> Bool { volumes[path] != nil }

    /// Returns whether a volume has been mounted or unmounted since the last scan.
    ///
    /// - Parameters:
    ///   - changed: the paths near which volumes are looked at; nil for all volumes.
    ///   - device: returns the device number of the folder at a path; nil if no folder is there. It may block for long,
    ///     if the volume is that of a server that does not answer.
    func haveChanged(near changed: [FilePath]? = nil, _ device: (FilePath) -> UInt64?) -> Bool {
        volumes.contains { Self.isNear($0.key, changed) && device($0.key) != $0.value.foundDevice }
    }

    /// Returns whether a volume is at, above or below one of the changed paths, or whether all volumes are looked at.
    private static func isNear(_ path: FilePath, _ changed: [FilePath]?) -> Bool {
        changed?.contains { $0 == path || $0.isBelow(path) || path.isBelow($0) } ?? true
    }

    mutating func add(_ mountPoints: [FilePath: MountPoint]) {
        for (path, mountPoint) in mountPoints where volumes[path] == nil { volumes[path] = Volume(mountPoint) }
    }

    /// Adds folders that are empty although the library has assets below them, as volumes that are not mounted.
    mutating func add(emptyFolders: Set<FilePath>, device: (FilePath) -> UInt64?) {
        for path in emptyFolders where volumes[path] == nil {
            volumes[path] = Volume(emptyFolder: path, on: device(path))
        }
    }

    /// Updates the volumes after a search.
    ///
    /// A volume that was away is back when one of its files is found. Its device number may be another one then, and
    /// its former number may now belong to another volume.
    ///
    /// - Parameters:
    ///   - changed: the paths among which files were searched; nil if the search went through the whole of the followed
    ///     folder. Volumes elsewhere are not looked at.
    ///   - device: returns the device number of the folder at a path; nil if no folder is there.
    mutating func update(
        after walk: FolderWalk, of changed: [FilePath]?, _ assets: Assets, device: (FilePath) -> UInt64?
    ) {
        add(walk.mountPoints)
        for (path, former) in volumes where Self.isNear(path, changed) {
            var volume = former
            let files = walk.files.lazy.map(\.path).filter { $0.isBelow(path) }
            let (present, found) = (device(path), walk.mountPoints[path]?.device)
            // A link that somebody has removed leads to no files of the followed folder any more. A folder that was
            // empty at the first scan, and is neither empty now nor a mount point, is a folder like others.
            if volume.isLink && !FolderWalk.isLink(path)
                || volume.device == nil && found == nil
                    && (!files.isEmpty || changed == nil && !walk.emptyFolders.contains(path))
            {
                volumes[path] = nil
                continue
            }
            if changed == nil { volume.foundDevice = present }
            let wasSeen = changed == nil ? found == present : found == nil || found == present
            if present == volume.device, !volume.isAway, wasSeen {
                if !volume.filesOfOthers.isEmpty { volume.found(Set(files)) }
            } else {
                if !volume.isAway { (volume.isAway, volume.isUnreported) = (true, true) }
                if let found, found == present { volume.mount(found, with: Set(files), assets, at: path) }
            }
            volumes[path] = volume
        }
    }

    /// The paths of the volumes that are not mounted, sorted. No file below them counts as gone, although a search may
    /// not find it.
    var foldersOutOfReach: [FilePath] { volumes.filter(\.value.isAway).map(\.key).sorted { $0.precedes($1) } }

    /// The files of volumes that are not mounted while other volumes are mounted at the same paths. They do not count
    /// as gone either.
    var filesOutOfReach: [Set<FilePath>] { volumes.values.flatMap(\.filesOfOthers) }

    /// Returns the volumes whose absence has to be reported to the host program now. Each is returned only once while
    /// it is away.
    ///
    /// - Parameter hasAssets: returns whether the library has assets whose files are below a path.
    mutating func takeUnreported(where hasAssets: (FilePath) -> Bool) -> [FilePath] {
        let unreported = volumes.filter(\.value.isUnreported).keys
        for path in unreported { volumes[path]?.isUnreported = false }
        return unreported.filter(hasAssets).sorted { $0.precedes($1) }
    }
}
