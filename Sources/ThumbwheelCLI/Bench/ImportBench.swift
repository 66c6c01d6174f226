import Foundation
import Thumbwheel
import ThumbwheelCore
import ThumbwheelReplay

/// Importing a folder, importing it again, the memory of its assets, and importing it after all files were renamed, beside
/// ExifTool's reading of the same files, where it is installed.
struct ImportBench {
    private let options: BenchOptions
    private let progress: ProgressLine

    init(_ options: BenchOptions, progress: ProgressLine) {
        self.options = options
        self.progress = progress
    }

    func rows() async throws -> [BenchRow] {
        let folder = try LinkedFiles(options.photographs.compactMap(\.resource.filePath), count: options.fileCount)
        var (first, second, peer): ([Double], [Double], [Double]) = ([], [], [])
        for round in 1...options.rounds {
            progress.show("importing \(options.fileCount) files: round \(round) of \(options.rounds)")
            let library = PhotoLibrary()
            let start = ProcessUsage.current.cpuSeconds
            let report = try await library.importFolder(at: folder.path)
            let time = ProcessUsage.current.cpuSeconds - start
            first.append(time * 1000 / Double(options.fileCount))
            guard report.skipped.isEmpty else { throw BenchError("\(report.skipped[0].path) was not imported") }
            second.append(
                try await Stopwatch.asyncMilliseconds { try await library.importFolder(at: folder.path) }.time)
            let arguments = ["-fast2", "-q", "-q", "-json", "-r", folder.path]
            if let time = try PeerProgram("exiftool").processorTime(arguments) {
                peer.append(time / Double(options.fileCount))
            }
        }
        let name = peer.isEmpty ? nil : "exiftool -fast2"
        return [
            BenchRow(
                "import.first", unit: "processor milliseconds a file", rounds: first, operations: options.fileCount,
                peer: name, peerRounds: peer),
            BenchRow("import.again", unit: "milliseconds", rounds: second, operations: options.fileCount),
        ] + (try await memoryRows(folder.path)) + (try await renamingRows())
    }

    /// The memory of a library of imported files, with a hash for each; empty without jemalloc, which counts it.
    private func memoryRows(_ folder: String) async throws -> [BenchRow] {
        let allocator = AllocatorStatistics()
        let hash = ThumbHash(base64Encoded: "1QcSHQRnh493V4dIh4eXh1h4kJUI")
        progress.show("weighing \(options.fileCount) assets")
        guard let before = allocator.allocatedByteCount else { return [] }
        let library = PhotoLibrary()
        let count = try await library.importFolder(at: folder, options: ImportOptions(thumbHash: { _ in hash })).added
            .count
        guard let after = allocator.allocatedByteCount else { return [] }
        return withExtendedLifetime(library) {
            [
                BenchRow(
                    "import.bytesPerAsset", unit: "bytes", rounds: [Double(after - before) / Double(count)],
                    operations: count)
            ]
        }
    }

    /// An import after all files were renamed, beside the first import of the same files.
    private func renamingRows() async throws -> [BenchRow] {
        let folder = try CopiedFiles(options.photographs.compactMap(\.resource.filePath), count: options.fileCount)
        var (first, renamed): ([Double], [Double]) = ([], [])
        for round in 1...options.rounds {
            progress.show("renaming \(options.fileCount) files: round \(round) of \(options.rounds)")
            let library = PhotoLibrary()
            let start = ProcessUsage.current.cpuSeconds
            let addedCount = try await library.importFolder(at: folder.path).added.count
            let end = ProcessUsage.current.cpuSeconds
            first.append((end - start) * 1000)
            try folder.rename()
            let renamedStart = ProcessUsage.current.cpuSeconds
            let report = try await library.importFolder(at: folder.path)
            renamed.append((ProcessUsage.current.cpuSeconds - renamedStart) * 1000)
            guard report.moved.count == addedCount, report.added.isEmpty else {
                throw BenchError("\(report.moved.count) of \(addedCount) renamed files were found")
            }
        }
        return [
            BenchRow(
                "import.renamed", unit: "processor milliseconds", rounds: renamed, operations: options.fileCount,
                peer: "first import", peerRounds: first)
        ]
    }
}
