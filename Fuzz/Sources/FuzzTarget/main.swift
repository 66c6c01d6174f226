import Foundation
@_spi(Fuzzing) import ThumbwheelRendering

// SwiftPM renames an executable's `main`, so libFuzzer's own cannot be linked: its driver is called instead.
typealias TestOneInput = @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt

@_silgen_name("LLVMFuzzerRunDriver")
func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>, _ test: TestOneInput
) -> CInt

let chosen = ProcessInfo.processInfo.environment["THUMBWHEEL_FUZZ_TARGET"] ?? ""
guard let reader = Reader(rawValue: chosen) else {
    print("THUMBWHEEL_FUZZ_TARGET must be one of \(Reader.allCases.map(\.rawValue).joined(separator: ", "))")
    exit(2)
}
FuzzedReader.shared = reader

/// What the callback, which captures nothing, finds the reader by.
enum FuzzedReader {
    // Written once, before the driver starts; read on its one thread.
    nonisolated(unsafe) static var shared = Reader.exif
}

// The corpus comes first.
if reader == .library, CommandLine.arguments.count > 1 { LibraryReader.writeSeeds(to: CommandLine.arguments[1]) }
if reader == .video, CommandLine.arguments.count > 1 { VideoReader.writeSeeds(to: CommandLine.arguments[1]) }
if reader == .service, CommandLine.arguments.count > 1 { ServiceReader.writeSeeds(to: CommandLine.arguments[1]) }
if reader == .isolation, CommandLine.arguments.count > 1 {
    for (number, dialogue) in FuzzedDialogue.examples.enumerated() {
        try? Data(dialogue).write(to: URL(filePath: CommandLine.arguments[1]).appending(path: "example-\(number)"))
    }
}

var count = CommandLine.argc
var arguments = CommandLine.unsafeArgv
exit(
    runDriver(&count, &arguments) { bytes, count in
        FuzzedReader.shared.read([UInt8](UnsafeBufferPointer(start: bytes, count: count)))
        return 0
    })
