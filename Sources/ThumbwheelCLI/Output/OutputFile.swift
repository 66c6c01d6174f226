import Foundation
import ThumbwheelReplay

/// A file that is either written whole or not there: written aside under a temporary name, and renamed. What is no file, a pipe
/// or a device, is written to and stays what it is.
struct OutputFile: Sendable {
    let path: String
    private let isStream: Bool

    /// Checks, before any work is done for it, that the file can be written.
    init(path: String, option: String) throws(CommandError) {
        self.path = path
        var status = stat()
        isStream = path == "-" || stat(path, &status) == 0 && ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
        guard !isStream else { return }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
            throw CommandError("\(option) \(path): there is no folder \(folder)")
        }
        guard access(folder, W_OK) == 0 else {
            throw CommandError("\(option) \(path): the folder \(folder) cannot be written to")
        }
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
            throw CommandError("\(option) \(path): is a folder; give the name of a file")
        }
    }

    func write(encoding document: some Encodable) throws(CommandError) {
        let data: Data
        do {
            data = try DocumentCoding.encode(document)
        } catch {
            throw CommandError("\(path): the document cannot be encoded: \(error)")
        }
        try write(data)
    }

    func write(_ data: Data) throws(CommandError) {
        do {
            if path == "-" {
                try FileHandle.standardOutput.write(contentsOf: data)
            } else if isStream {
                try FileHandle(forWritingTo: URL(fileURLWithPath: path)).write(contentsOf: data)
            } else {
                try data.write(to: URL(fileURLWithPath: path), options: .atomic)
            }
        } catch {
            throw CommandError("\(path): \(error.localizedDescription)")
        }
    }

    /// Opens the file for lines that are added behind what it has.
    func handleForAppending() throws(CommandError) -> FileHandle {
        if path == "-" { return .standardOutput }
        let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CommandError("\(path): cannot be opened") }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }
}
