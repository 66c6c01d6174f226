import Foundation
import Thumbwheel

/// The library's file, and what it and the one before it must hold.
final class LibraryFiles {
    struct Saved {
        let model: LibraryModel
        let log: ChangeLog
    }

    let path: String
    let damagedPath: String
    let recoveredPath: String
    private(set) var saved: Saved?
    private(set) var previous: Saved?

    init(folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        path = folder + "/library"
        damagedPath = folder + "/damaged"
        recoveredPath = folder + "/recovered"
        for path in [path, damagedPath, recoveredPath] {
            for suffix in ["", ".previous", ".saving"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        }
    }

    var previousPath: String { path + ".previous" }

    func save(_ library: PhotoLibrary, _ model: LibraryModel, _ log: ChangeLog) async throws(SoakFailure) {
        do throws(LibraryFileError) {
            try await library.save(to: path)
        } catch {
            throw SoakFailure(.file, expected: "a saved library", seen: "\(error)")
        }
        previous = saved
        saved = Saved(model: model, log: log)
    }

    func load(_ path: String, gate: SoakGate) async throws(SoakFailure) -> PhotoLibrary {
        do throws(LibraryFileError) {
            return try await PhotoLibrary(
                loading: path, configuration: LibraryHost.configuration, provider: Self.resolver(gate))
        } catch {
            throw SoakFailure(.file, expected: "a library in \(path)", seen: "\(error)")
        }
    }

    static func resolver(_ gate: SoakGate) -> @Sendable (String) -> (any ResourceProvider)? {
        { name in SoakSource(name: name).map { SoakProvider($0, gate: gate) } }
    }

    /// Copies the file and damages the copy.
    func damage(at place: Double, isCut: Bool) throws(SoakFailure) {
        guard var bytes = FileManager.default.contents(atPath: path), !bytes.isEmpty else {
            throw SoakFailure(.file, expected: "a file at \(path)", seen: "none")
        }
        let offset = min(bytes.count - 1, Int(Double(bytes.count) * place))
        if isCut { bytes = bytes.prefix(offset) } else { bytes[offset] ^= 0x10 }
        guard FileManager.default.createFile(atPath: damagedPath, contents: bytes) else {
            throw SoakFailure(.file, expected: "a copy at \(damagedPath)", seen: "none")
        }
    }
}
