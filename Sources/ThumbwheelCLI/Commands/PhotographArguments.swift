import Foundation
import Thumbwheel

/// The photographs and videos that a command line names: any mix of files and folders.
struct PhotographArguments {
    let assets: [Asset]
    let names: GivenPaths
    /// Images whose head is damaged.
    let damaged: [(path: String, error: RenderError)]
    /// Files that are no images.
    let skipped: [(path: String, reason: String)]

    /// Reads the heads of all files; what is no image is reported.
    ///
    /// - Parameters:
    ///   - makingHashes: whether the photographs come with their hashes.
    /// - Throws: where a path cannot be used, or none of the files is an image.
    init(
        paths: [String], makingHashes: Bool = false, progress: ProgressLine
    ) async throws(CommandError) {
        guard !paths.isEmpty else { throw CommandError("no photographs; name files or folders") }
        let report: ImportReport
        do throws(ImportError) {
            let options: ImportOptions = makingHashes ? .withThumbHashes : ImportOptions()
            report = try await PhotoLibrary().importFiles(paths, options: options) { state in
                progress.show("reading heads: \(state.doneCount) of \(state.totalCount)")
            }
            progress.clear()
        } catch {
            progress.clear()
            throw CommandError(error.description)
        }
        assets = Array(report.added)
        let names = GivenPaths(paths)
        self.names = names
        var damaged: [(path: String, error: RenderError)] = []
        var skipped: [(path: String, reason: String)] = []
        for skip in report.skipped {
            switch skip.reason {
            case .damaged(let error): damaged.append((names.text(of: skip.path), RenderError(error)))
            case .unreadable(let error): damaged.append((names.text(of: skip.path), .source(error)))
            case .nameNotUnicode:
                damaged.append((names.text(of: skip.path), .source(.notFound(path: skip.path))))
            case .notAnImage: skipped.append((names.text(of: skip.path), "not an image"))
            case .notAFile: skipped.append((names.text(of: skip.path), "not a file"))
            }
        }
        self.damaged = damaged
        self.skipped = skipped
        guard !assets.isEmpty || !damaged.isEmpty else {
            throw CommandError("\(paths.joined(separator: ", ")): no image in there; name photographs or their folder")
        }
    }

    /// Says on standard error what was passed over.
    func reportSkips() {
        for skip in skipped { report("\(skip.path): skipped, \(skip.reason)") }
    }
}
