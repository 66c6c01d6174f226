import Foundation
import TestSupport
import Testing
import Thumbwheel
import ThumbwheelLocks
import ThumbwheelPhotos

@testable import FixtureKit

/// Photographs for the tests on the process's shared library.
enum SharedLibrary {
    private static let lastSeed = Mutex<UInt64>(900)
    private static let originals = Mutex<ScratchFolder?>(nil)

    /// The process's shared library. What it writes goes into a folder of the tests.
    static var library: PHPhotoLibrary {
        let library = PHPhotoLibrary.shared()
        originals.withLock { originals in
            if originals != nil { return }
            originals = try? ScratchFolder()
            if let originals { library.originalsFolder = URL(fileURLWithPath: originals.path) }
        }
        return library
    }

    /// A folder with some photographs, `photo-0.png` and so on, each 400 pixels wide. No two calls make the same photographs: the
    /// library would take them for files that have moved from the folder of the test before.
    static func photographs(_ count: Int) throws -> ScratchFolder {
        let folder = try ScratchFolder()
        for number in 0..<count { try folder.write("photo-\(number).png", picture(width: 400, height: 300)) }
        return folder
    }

    /// The bytes of a PNG that no other call has made.
    static func picture(width: Int, height: Int) -> [UInt8] {
        let seed = lastSeed.withLock { seed in
            seed += 1
            return seed
        }
        return PNGEncoder.encode(Raster(Scene(seed: seed, subject: .landscape), width: width, height: height), as: .rgb)
    }

    /// Photographs that were imported, with their folder.
    struct Imported {
        /// The folder, which goes with this value.
        let folder: ScratchFolder
        /// The assets in the order of their names.
        let assets: [PHAsset]

        var asset: PHAsset { assets[0] }
    }

    static func imported(_ count: Int = 1) async throws -> Imported {
        let folder = try photographs(count)
        let report = try await PHPhotoLibrary.shared().importFolder(at: folder.path)
        try #require(report.added.count == count)
        return Imported(folder: folder, assets: fetched(report.added.map(\.localIdentifier)))
    }

    /// The assets as they are now.
    static func fetched(_ identifiers: [String]) -> [PHAsset] {
        Array(PHAsset.fetchAssets(withLocalIdentifiers: identifiers, options: nil))
    }

    /// The asset that a placeholder stood for.
    static func created(_ placeholder: PHObjectPlaceholder?) throws -> PHAsset {
        let identifier = try #require(placeholder?.localIdentifier)
        return try #require(fetched([identifier]).first)
    }

    /// The asset as it is now.
    static func current(_ asset: PHAsset) throws -> PHAsset { try #require(fetched([asset.localIdentifier]).first) }

    /// Adds assets that exist as facts only, and returns them as the library has them.
    static func added(_ assets: [Asset]) async throws -> [PHAsset] {
        try await PhotoLibrary.shared.performChanges { changes in
            for asset in assets { try changes.createAsset(asset) }
        }
        let options = PHFetchOptions()
        options.includeAllBurstAssets = true
        return Array(PHAsset.fetchAssets(withLocalIdentifiers: assets.map(\.localIdentifier), options: options))
    }
}
