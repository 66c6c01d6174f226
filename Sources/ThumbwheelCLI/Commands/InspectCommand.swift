import Foundation
import Thumbwheel
import ThumbwheelReplay

/// `thumbwheel inspect`: what the heads of files tell, and what a thumbnail would be made from.
struct InspectCommand {
    private let paths: [String]
    private let size: PixelSize
    private let json: OutputFile?

    init(_ words: [String]) throws(CommandError) {
        let arguments = try Arguments(words, options: ["--size", "--json"], flags: [])
        paths = arguments.positional
        size = try arguments.size("--size") ?? PixelSize(width: 256, height: 256)
        json = try arguments.string("--json").map { path throws(CommandError) in
            try OutputFile(path: path, option: "--json")
        }
    }

    func run() async throws(CommandError) -> ExitStatus {
        let photographs = try await PhotographArguments(paths: paths, progress: ProgressLine())
        photographs.reportSkips()
        let files =
            photographs.assets.map { InspectDocument.File($0, named: photographs.names.text(of: $0), targetSize: size) }
            + photographs.damaged.map { InspectDocument.File(path: $0.path, error: $0.error) }
        if let json {
            let document = InspectDocument(host: .current, size: size.description, files: files)
            try json.write(encoding: document)
        } else {
            for file in files { print(file.text) }
        }
        return .done
    }
}
