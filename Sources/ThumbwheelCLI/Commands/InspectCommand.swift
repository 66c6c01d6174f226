import Foundation
import Thumbwheel
import ThumbwheelReplay

/// `thumbwheel inspect`: what the heads of files tell, and what a thumbnail would be made from.
struct InspectCommand: Command {
    struct Options: CommandSettings {
        var size = PixelSize(width: 256, height: 256)
        var json: OutputFile?
    }

    static var table: OptionTable<Options> {
        OptionTable(
            "inspect PHOTOS…",
            [
                CommandOption("--size", .size, \.size, "the target of the thumbnail, in pixels"),
                CommandOption("--json", .file, \.json, "the facts as a document; - for standard output"),
            ])
    }

    private let paths: [String]
    private let options: Options

    init(_ words: [String]) throws(CommandError) {
        (options, paths) = try Self.table.read(words)
    }

    func run() async throws(CommandError) -> ExitStatus {
        let size = options.size
        let photographs = try await PhotographArguments(
            paths: paths, progress: ProgressLine())
        photographs.reportSkips()
        let files =
            photographs.assets.map { InspectDocument.File($0, named: photographs.names.text(of: $0), targetSize: size) }
            + photographs.damaged.map { InspectDocument.File(path: $0.path, error: $0.error) }
        if let json = options.json {
            let document = InspectDocument(
                host: .current, isolation: DecoderProtections(), size: size.description, files: files)
            try json.write(encoding: document)
        } else {
            for file in files { print(file.text) }
            print(DecoderProtections().text)
        }
        return .done
    }
}
