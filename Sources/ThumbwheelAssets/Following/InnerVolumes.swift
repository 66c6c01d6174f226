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

    private struct Volume {
        /// The device number that the volume had when its files were last found.
        var device: UInt64
        let isLink: Bool
        /// The device number of the folder that the last scan found at the path; nil if it found no folder.
        var foundDevice: UInt64?
        /// The device numbers of other volumes that have been mounted at the same path.
        var otherDevices: Set<UInt64> = []
        var isAway = false
        /// Whether the host program has been told that the volume is not mounted, or need not be told, because the
        /// library has no assets on the volume.
        var isReported = false

        init(_ mountPoint: MountPoint) {
            (device, isLink, foundDevice) = (mountPoint.device, mountPoint.isLink, mountPoint.device)
        }
    }

    private var volumes: [FilePath: Volume] = [:]

    var isEmpty: Bool { volumes.isEmpty }

    func contains(_ path: FilePath) -> Bool { volumes[path] != nil }

    /// Returns whether a volume has been mounted or unmounted since the last scan.
    ///
    /// - Parameter device: returns the device number of the folder at a path; nil if no folder is there.
    func haveChanged(_ device: (FilePath) -> UInt64?) -> Bool {
        volumes.contains { device($0.key) != $0.value.foundDevice }
    }

    mutating func add(_ mountPoints: [FilePath: MountPoint]) {
        for (path, mountPoint) in mountPoints where volumes[path] == nil { volumes[path] = Volume(mountPoint) }
    }

    /// Updates the volumes after a search, and returns the paths below which no file counts as gone, although the
    /// search may not have found it. The paths are sorted.
    ///
    /// A volume that was away is back when one of its files is found. Its device number may be another one then, and
    /// its former number may now belong to another volume.
    ///
    /// - Parameters:
    ///   - isScan: whether the search went through the whole of the followed folder.
    ///   - isKnown: whether the library has an asset whose file is at a path.
    ///   - device: returns the device number of the folder at a path; nil if no folder is there.
    mutating func update(
        after walk: FolderWalk, isScan: Bool, isKnown: (FilePath) -> Bool, device: (FilePath) -> UInt64?
    ) -> [FilePath] {
        add(walk.mountPoints)
        for (path, former) in volumes {
            var volume = former
            if volume.isLink, !FolderWalk.isLink(path) {
                // Somebody has removed the link, so its files are no longer in the followed folder.
                volumes[path] = nil
                continue
            }
            let (present, found) = (device(path), walk.mountPoints[path]?.device)
            if isScan { volume.foundDevice = present }
            let wasSeen = isScan ? found == present : found == nil || found == present
            if present != volume.device || volume.isAway || !wasSeen {
                volume.isAway = true
                if let found, found == present, !volume.otherDevices.contains(found) {
                    if walk.files.contains(where: { $0.path.isBelow(path) && isKnown($0.path) }) {
                        (volume.device, volume.isAway, volume.isReported) = (found, false, false)
                    } else {
                        volume.otherDevices.insert(found)
                    }
                }
            }
            volumes[path] = volume
        }
        // If several volumes were mounted at one path in turn, the library has files of each, and does not know which
        // file is on which volume.
        return volumes.filter { $0.value.isAway || !$0.value.otherDevices.isEmpty }.map(\.key)
            .sorted { $0.precedes($1) }
    }

    /// Returns the volumes whose absence has to be reported to the host program now. Each is returned only once while
    /// it is away.
    ///
    /// - Parameter hasAssets: returns whether the library has assets whose files are below a path.
    mutating func takeUnreported(where hasAssets: (FilePath) -> Bool) -> [FilePath] {
        let unreported = volumes.filter { $0.value.isAway && !$0.value.isReported }.keys
        for path in unreported { volumes[path]?.isReported = true }
        return unreported.filter(hasAssets).sorted { $0.precedes($1) }
    }
}
