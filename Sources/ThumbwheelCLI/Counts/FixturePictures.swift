import Foundation
import Thumbwheel

/// The generated photographs that are counted with, in memory: JPEGs, which are the same bytes on every machine.
struct FixturePictures {
    static let defaultFolder = "Fixtures/library"

    let baseline: MemoryByteSource
    let progressive: MemoryByteSource
    let large: MemoryByteSource
    let small: MemoryByteSource
    let wideGamut: MemoryByteSource

    init(folder: String) throws(CommandError) {
        func picture(_ name: String) throws(CommandError) -> MemoryByteSource {
            guard let data = FileManager.default.contents(atPath: folder + "/" + name) else {
                throw CommandError("\(folder)/\(name): cannot be read; `make fixtures` makes it")
            }
            return MemoryByteSource([UInt8](data))
        }
        baseline = try picture("camera-1-landscape-1600x1200.jpg")
        progressive = try picture("progressive-1600x1200.jpg")
        large = try picture("camera-7-landscape-3000x2000.jpg")
        small = try picture("small-400x300.jpg")
        wideGamut = try picture("display-p3.jpg")
    }

    var all: [MemoryByteSource] { [baseline, progressive, large, small, wideGamut] }
}
