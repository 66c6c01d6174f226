import ThumbwheelCore

@testable import ThumbwheelRendering

/// The pixels of a bitmap in linear light, as numbers.
struct LightPicture {
    let size: PixelSize
    private let colors: [SIMD4<Float>]

    init(_ bitmap: Bitmap) {
        precondition(bitmap.format == .linearRGBA)
        size = bitmap.size
        colors = bitmap.withUnsafeBytes { bytes in
            (0..<bitmap.size.pixelCount).map { HalfFloat.color(at: bytes.baseAddress! + $0 * 8) }
        }
    }

    /// Renders a file to linear light.
    init(
        _ file: [UInt8], _ size: PixelSize = .maximum, resizeMode: ResizeMode = .none,
        _ configure: (inout RenderOptions) -> Void = { _ in }
    ) throws {
        self.init(try Self.image(file, size, resizeMode: resizeMode, configure).bitmap)
    }

    static func image(
        _ file: [UInt8], _ size: PixelSize = .maximum, resizeMode: ResizeMode = .none,
        _ configure: (inout RenderOptions) -> Void = { _ in }
    ) throws -> RenderedImage {
        let options = RenderOptions(targetSize: size, contentMode: .aspectFit, resizeMode: resizeMode) {
            $0.pixelRange = .extended
            configure(&$0)
        }
        return try Renderer().render(MemoryByteSource(file), options: options)
    }

    subscript(x: Int, y: Int) -> SIMD4<Float> { colors[y * size.width + x] }

    /// The number of different levels of red.
    var levelCount: Int { Set(colors.map(\.x)).count }

    /// The largest difference of any number from a definition; relative to the number, where it is above 1/64.
    func difference(_ definition: (Int, Int) -> SIMD4<Double>) -> Double {
        var largest = 0.0
        for y in 0..<size.height {
            for x in 0..<size.width {
                let (color, wanted) = (SIMD4<Double>(self[x, y]), definition(x, y))
                for channel in 0..<4 {
                    let scale = max(abs(wanted[channel]), 1.0 / 64)
                    largest = max(largest, abs(color[channel] - wanted[channel]) / scale)
                }
            }
        }
        return largest
    }
}
