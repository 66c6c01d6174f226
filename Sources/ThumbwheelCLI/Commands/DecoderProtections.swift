import Thumbwheel
import ThumbwheelReplay

/// The protections that this system grants to decoder processes.
struct DecoderProtections: Encodable {
    let protections: [String]
    let missing: [String]
    /// Whether no decoder process can be used, because a required protection is missing.
    let isRefused: Bool
    /// The reason why no decoder process can be started; nil if one can.
    @Nullable var error: String?

    /// Starts a decoder process, and asks what it got.
    init() {
        var configuration = DecoderPool.Configuration(readyCount: 0)
        configuration.executable = OwnDecoder.path
        let pool = DecoderPool(configuration)
        var failure: String?
        do throws(RenderError) {
            try pool.withProcess { _ in }
        } catch {
            failure = error.description
        }
        protections = pool.statistics.containment.names
        missing = Containment.all.subtracting(pool.statistics.containment).names
        isRefused = pool.statistics.refused > 0
        error = failure
    }

    /// The protections in one line, and those that the system does not grant.
    var text: String {
        if let error { return "decoding outside the process: \(error)" }
        let granted = "decoding outside the process: " + protections.joined(separator: ", ")
        return missing.isEmpty ? granted : granted + "; not granted: " + missing.joined(separator: ", ")
    }
}
