import CVips
import ThumbwheelCore

/// A loader of libvips that may be used for files from strangers. The loader is always chosen by this library, never by
/// libvips.
struct VipsLoader: Sendable {
    /// A function that opens an image at a scale in eighths of full size. It returns 0 on success, as functions of
    /// libvips do.
    typealias Load =
        @Sendable (
            UnsafeMutablePointer<VipsSource>, UnsafeMutablePointer<UnsafeMutablePointer<VipsImage>?>, _ eighths: Int,
            VipsFailOn
        ) -> Int32

    /// A function that tells whether a file is cut short. It is called if the loader asked for bytes past the end of
    /// the file.
    typealias Evidence = @Sendable (any ByteSource) throws(ByteSourceError) -> Bool

    /// The scales at which the loader can decode, in eighths of full size and in increasing order.
    let eighths: [Int]
    /// Whether the loader turns the image upright itself. Loaders that do so read the whole file and decode it in one
    /// call.
    let appliesOrientation: Bool
    /// Bytes that the loader reads after the last byte of the file, as if they belonged to the file. For example, many
    /// JPEG files lack only their end marker. With that marker added, the loader does not take them for damaged.
    let trailer: [UInt8]
    /// The rule by which the loader rounds a side that is not a whole number of pixels at the scale.
    let sideRounding: FloatingPointRoundingRule
    private let failsOnWarnings: Bool
    private let evidence: Evidence
    private let load: Load

    /// - Parameters:
    ///   - failsOnWarnings: whether a warning is a sign of damage. The warnings of most loaders are about metadata.
    ///   - isCutShort: tells whether a file is cut short. It is called only if the loader has requested bytes past the
    ///     end of the file. There are two kinds of loaders:
    ///     - A loader that reads as it decodes requests such bytes only if data are missing. The default suits it: it
    ///       always returns true.
    ///     - A loader that reads the whole file first always requests such bytes. It needs a function that examines the
    ///       file.
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

    /// Makes a loader from the name of its operation in libvips. The operation takes no options of its own.
    init(
        operation: String, appliesOrientation: Bool = false, isCutShort: @escaping Evidence = { _ in true }
    ) {
        self.init(appliesOrientation: appliesOrientation, isCutShort: isCutShort) { source, image, _, strictness in
            tw_vips_load(operation, source, image, strictness)
        }
    }

    /// Opens an image, if possible without decoding pixels yet; nil if the loader fails.
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

    /// Whether a file is cut short. This may be asked only if the loader has requested bytes past the end of the file.
    /// A file that cannot be read does not count as cut short.
    func isCutShort(_ bytes: any ByteSource) -> Bool {
        (try? evidence(bytes)) ?? false
    }
}
