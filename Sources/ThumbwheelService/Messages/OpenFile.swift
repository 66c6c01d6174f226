import ThumbwheelCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// An open file whose descriptor a server may send from. The file is closed with the last reference to the object.
public final class OpenFile: ByteSource {
    let source: FileByteSource
    /// The date of the last change, in seconds since 1970.
    let modificationTime: Int

    /// Opens the file at a path.
    ///
    /// - Parameter roots: The folders that the file must really lie in; nil if it may lie anywhere. The check is of the file
    ///   that has been opened, so a symbolic link that is put in the file's place a moment before leads nowhere else.
    /// - Throws: `.notFound` if there is no such file, it is no plain file, or it lies elsewhere; `.busy` if too many files are
    ///   open.
    init(path: String, roots: FolderRoots?) throws(ServiceError) {
        let source: FileByteSource
        do throws(ByteSourceError) {
            source = try FileByteSource(path: path)
        } catch {
            throw .opening(error)
        }
        var status = stat()
        guard fstat(source.descriptor, &status) == 0 else { throw .notFound }
        if let roots, !roots.contain(source) { throw .notFound }
        self.source = source
        #if canImport(Darwin)
        modificationTime = Int(status.st_mtimespec.tv_sec)
        #else
        modificationTime = Int(status.st_mtim.tv_sec)
        #endif
    }

    /// The descriptor. Duplicate it for whoever closes it.
    public var descriptor: Int32 { source.descriptor }

    public var byteCount: Int { source.byteCount }

    public func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(ByteSourceError) -> Int {
        try source.read(into: buffer, at: offset)
    }
}
