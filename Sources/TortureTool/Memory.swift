import Foundation
import Thumbwheel
import TortureKit

/// Renders JPEGs to 256 × 256 and says what memory each took above that of an idle process, and what it may take: 4 MiB,
/// and 2 bytes for each coefficient of the crop that the decode keeps.
///
/// Freed memory that the allocator keeps would hide what the next rendering takes: one file to a process.
func measureMemory(of path: String, quality: RenderQuality) throws -> Bool {
    let source = try FileByteSource(path: path)
    let head = try ImageHead(reading: source)
    let options = RenderOptions(targetSize: PixelSize(width: 256, height: 256), quality: quality)
    // What is loaded once by the first rendering is the idle process's.
    let first = try Bitmap(size: PixelSize(width: 700, height: 700), format: .rgb) { pixels in
        for index in pixels.indices { pixels[index] = UInt8(truncatingIfNeeded: index) }
    }.encoded(as: .jpeg(quality: 80))
    _ = try Renderer().render(MemoryByteSource(first), options: options)

    let plan = try RenderPlan(head: head, options: options)
    let side = min(head.storedSize.width, head.storedSize.height)
    let scale = Double(plan.eighths) / 8
    // Chroma is kept as finely as luma is shown.
    let kept = (Double(side) * scale) * (Double(side) * scale) * Double(head.jpeg?.samplingFactors.count ?? 3)
    let limit = (4 << 20) + 2 * Int(kept)

    PeakMemory.reset()
    let idle = PeakMemory.currentByteCount ?? 0
    let image = try Renderer().render(source, head: head, options: options)
    let held = (PeakMemory.byteCount ?? 0) - idle
    let isKept = held <= limit
    let numbers = "\(held >> 10) of \(limit >> 10) KiB"
    let name = URL(filePath: path).lastPathComponent
    print("\(numbers)  \(name), \(quality) at \(image.eighths)/8\(isKept ? "" : "  TOO MUCH")")
    return isKept
}
