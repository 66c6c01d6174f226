import Foundation
import Thumbwheel

/// The folder that `render --out` writes into.
struct ThumbnailFolder {
    enum Format: String, CaseIterable {
        case png, jpeg, webp

        var encoding: ImageEncoding {
            switch self {
            case .png: .png
            case .jpeg: .jpeg(quality: 90)
            case .webp: .webp(quality: 90)
            }
        }
    }

    let path: String
    let format: Format

    /// Checks that the folder, or the one it is to be made in, can be written to.
    init(path: String, format: Format) throws(CommandError) {
        self.path = path
        self.format = format
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) {
            guard isFolder.boolValue else { throw CommandError("--out \(path): is not a folder") }
            guard access(path, W_OK) == 0 else { throw CommandError("--out \(path): cannot be written to") }
        } else {
            _ = try OutputFile(path: path, option: "--out")
        }
    }

    func create() throws(CommandError) {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        } catch CocoaError.fileWriteFileExists {
            return
        } catch {
            throw CommandError("--out \(path): \(error.localizedDescription)")
        }
    }

    /// Writes one thumbnail.
    ///
    /// - Parameter name: of the file, without the format's extension.
    /// - Returns: the path of the file.
    func write(_ bytes: [UInt8], name: String) throws(CommandError) -> String {
        let file = path + "/" + name + "." + format.rawValue
        try OutputFile(path: file, option: "--out").write(Data(bytes))
        return file
    }
}
