import ThumbwheelPipeline
import ThumbwheelRendering

/// The reason why a rendition cannot be made, in the form in which a store keeps it. A store keeps only reasons that
/// lie in the photograph's file, such as damage, because these do not go away.
enum StoredRefusal {
    static func bytes(of error: ImageRequestError) -> [UInt8]? {
        switch error {
        case .rendering(let error) where !error.isCausedByFile: nil
        case .rendering(.unsupportedFormat): Array("unsupportedFormat".utf8)
        case .rendering(.truncated(let fraction)): Array("truncated \(fraction)".utf8)
        case .rendering(.malformed(let reason)): Array("malformed \(reason)".utf8)
        case .rendering(.decoderFailed(let signal?)): Array("decoderFailed \(signal)".utf8)
        default: nil
        }
    }

    static func error(_ bytes: [UInt8]) -> ImageRequestError? {
        let text = String(decoding: bytes, as: UTF8.self)
        let (name, rest) = (text.prefix { $0 != " " }, text.drop { $0 != " " }.dropFirst())
        return switch name {
        case "unsupportedFormat": .rendering(.unsupportedFormat)
        case "truncated": Double(rest).map { .rendering(.truncated(decodedFraction: $0)) }
        case "decoderFailed": Int32(rest).map { .rendering(.decoderFailed(signal: $0)) }
        case "malformed": .rendering(.malformed(reason: String(rest)))
        default: nil
        }
    }
}
