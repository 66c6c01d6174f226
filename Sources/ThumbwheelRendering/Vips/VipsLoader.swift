import CVips
import ThumbwheelCore

/// A loader of libvips that bytes from anywhere may reach. libvips's own choice of a loader is never used.
struct VipsLoader: Sendable {
    /// Opens an image at a scale in eighths; returns 0 on success, as libvips does.
    typealias Load =
        @Sendable (
            UnsafeMutablePointer<VipsSource>, UnsafeMutablePointer<UnsafeMutablePointer<VipsImage>?>, _ eighths: Int,
            VipsFailOn
        ) -> Int32

    /// Tells whether a file whose loader asked for bytes past its end is too short.
    typealias Evidence = @Sendable (any ByteSource) throws(ByteSourceError) -> Bool

    /// The scales that the loader offers, in eighths, in increasing order.
    let eighths: [Int]
    /// Whether the loader turns the image upright itself. Such loaders read the whole file and decode in one go.
    let appliesOrientation: Bool
    /// Bytes that the loader reads behind the last byte of the file.
    let trailer: [UInt8]
    /// Which way the loader takes a side that at a scale is no whole number of pixels.
    let sideRounding: FloatingPointRoundingRule
    private let failsOnWarnings: Bool
    private let evidence: Evidence
    private let load: Load

    /// - Parameters:
    ///   - failsOnWarnings: whether a warning is a sign of damage. Most loaders' warnings are about metadata.
    ///   - isCutShort: by default, that the loader asked is proof enough: it reads as it goes. Loaders that begin by
    ///     reading the whole file need another proof.
    init(
        eighths: [Int] = [8], appliesOrientation: Bool = false, failsOnWarnings: Bool = false, trailer: [UInt8] = [],
        sideRounding: FloatingPointRoundingRule = .toNearestOrEven, isCutShort: @escaping Evidence = { _ in true },
        load: @escaping Load
    ) {
        self.eighths = eighths
        self.appliesOrientation = appliesOrientation
        self.failsOnWarnings = failsOnWarnings
        self.trailer = trailer
        self.sideRounding = sideRounding
        evidence = isCutShort
        self.load = load
    }

    /// A loader without options of its own, by the name of its operation.
    init(
        operation: String, appliesOrientation: Bool = false, isCutShort: @escaping Evidence = { _ in true }
    ) {
        self.init(appliesOrientation: appliesOrientation, isCutShort: isCutShort) { source, image, _, strictness in
            tw_vips_load(operation, source, image, strictness)
        }
    }

    /// Opens an image without decoding pixels yet, as far as the loader can; nil if it fails.
    ///
    /// - Parameter eighths: one of the scales that the loader offers.
    func open(_ source: UnsafeMutablePointer<VipsSource>, eighths: Int, tolerance: DamageTolerance) -> VipsHandle? {
        let strictness: VipsFailOn =
            switch tolerance {
            case .all: VIPS_FAIL_ON_NONE
            case .none: failsOnWarnings ? VIPS_FAIL_ON_WARNING : VIPS_FAIL_ON_ERROR
            }
        return VipsHandle { load(source, $0, eighths, strictness) }
    }

    /// Whether a file whose loader asked for bytes past its end is too short. A file that cannot be read is not.
    func isCutShort(_ bytes: any ByteSource) -> Bool {
        (try? evidence(bytes)) ?? false
    }
}
