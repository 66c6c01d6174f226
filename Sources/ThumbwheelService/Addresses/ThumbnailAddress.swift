import Thumbwheel

/// The part of a thumbnail's address behind asset and version: `256x256.jpg`, with `mode` and `crop` as parameters.
struct ThumbnailAddress: Equatable {
    /// The largest side that an address may have; larger ones are refused rather than taken down to the ladder.
    static let sideLimit = 16_384
    /// The parameters that thumbnails have. Any other is refused, since proxies would keep a copy for each. For the same reason,
    /// those of signed addresses are refused without a signature.
    private static let parameters: Set<String> = ["mode", "crop"]
    private static let signedParameters = parameters.union(ServiceTarget.signatureParameters)

    let size: PixelSize
    /// The format; nil if `Accept` decides.
    let format: PictureFormat?
    let contentMode: ContentMode
    /// The part of the picture to show; nil for all of it.
    let crop: NormalizedRect?

    /// - Parameters:
    ///   - segment: The last segment of the path.
    ///   - query: The parameters.
    init(_ segment: Substring, _ query: [String: String]) throws(ServiceError) {
        let parts = segment.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            .map { Substring($0) }
        guard parts.count <= 2, let sides = PixelSize(parts[0]) else { throw .size }
        guard (1...Self.sideLimit).contains(sides.width), (1...Self.sideLimit).contains(sides.height) else {
            throw .size
        }
        size = sides
        if parts.count == 2 {
            guard let format = PictureFormat(rawValue: String(parts[1])) else { throw .format }
            self.format = format
        } else {
            format = nil
        }
        let parameters = query["signature"] == nil ? Self.parameters : Self.signedParameters
        guard query.keys.allSatisfy(parameters.contains) else { throw .parameter }
        guard let mode = ContentMode(rawValue: query["mode"] ?? ContentMode.aspectFill.rawValue) else {
            throw .parameter
        }
        contentMode = mode
        if let crop = query["crop"] { self.crop = try Self.crop(crop) } else { crop = nil }
    }

    /// Reads `left,top,width,height`, each a fraction of the upright picture.
    private static func crop(_ text: String) throws(ServiceError) -> NormalizedRect {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        guard numbers.count == 4, let x = numbers[0], let y = numbers[1], let width = numbers[2],
            let height = numbers[3], [x, y, width, height].allSatisfy({ (0...1).contains($0) }), width > 0, height > 0,
            x + width <= 1.000_001, y + height <= 1.000_001
        else { throw .parameter }
        return NormalizedRect(x: x, y: y, width: min(width, 1 - x), height: min(height, 1 - y))
    }
}

extension NormalizedRect {
    /// The smallest rectangle of whole sixteenths around this one. It bounds the number of crops that can be asked for.
    var snappedToSixteenths: NormalizedRect {
        func low(_ number: Double) -> Double { (number * 16).rounded(.down) / 16 }
        func high(_ number: Double) -> Double { min(1, (number * 16 - 1e-9).rounded(.up) / 16) }
        let (left, top) = (low(x), low(y))
        return NormalizedRect(x: left, y: top, width: high(x + width) - left, height: high(y + height) - top)
    }
}
