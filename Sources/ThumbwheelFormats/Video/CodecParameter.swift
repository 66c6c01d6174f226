/// The names of codecs with profile and level, as the parameter `codecs` of a media type has them (RFC 6381 and the
/// specifications of the codecs' bindings).
enum CodecParameter {
    /// Returns the name of a codec; nil if the codec has no such name, or if its configuration does not state what the
    /// name must tell.
    ///
    /// - Parameters:
    ///   - codec: the codec as libav spells it.
    ///   - entry: the four characters of the sample entry, if the container has some.
    ///   - configuration: the configuration of the decoder.
    static func name(_ codec: String?, entry: String? = nil, configuration: [UInt8]) -> String? {
        switch codec {
        case "h264": h264(entry, configuration)
        case "hevc": hevc(entry, configuration)
        case "av1": av1(configuration)
        case "vp9": vp9(configuration)
        case "vp8", "opus", "vorbis", "flac", "theora": codec
        case "ac3": "ac-3"
        case "eac3": "ec-3"
        case "aac": aac(configuration)
        case "mp3": entry == nil ? "mp3" : "mp4a.6B"
        case "mpeg4": "mp4v.20"
        case "alac": "alac"
        default: nil
        }
    }

    /// `avc1` and the profile, the constraints and the level in hexadecimal (ISO/IEC 14496-15, Annex E).
    private static func h264(_ entry: String?, _ bytes: [UInt8]) -> String? {
        guard bytes.count >= 4, bytes[0] == 1 else { return nil }
        return (entry == "avc3" ? "avc3." : "avc1.") + bytes[1..<4].map { hexadecimal($0, width: 2) }.joined()
    }

    /// `hvc1`, the profile, its compatibility flags, tier and level, and the constraints (ISO/IEC 14496-15, Annex E).
    private static func hevc(_ entry: String?, _ bytes: [UInt8]) -> String? {
        guard bytes.count >= 13, bytes[0] == 1 else { return nil }
        let space = ["", "A", "B", "C"][Int(bytes[1] >> 6)]
        let flags = bytes[2..<6].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let reversed = (0..<32).reduce(UInt32(0)) { $0 << 1 | flags >> UInt32($1) & 1 }
        var constraints = Array(bytes[6..<12])
        while constraints.last == 0 { constraints.removeLast() }
        let parts =
            [
                entry == "hev1" ? "hev1" : "hvc1", "\(space)\(bytes[1] & 31)",
                String(reversed, radix: 16, uppercase: true),
                "\(bytes[1] & 0x20 == 0 ? "L" : "H")\(bytes[12])",
            ] + constraints.map { hexadecimal($0, width: 1) }
        return parts.joined(separator: ".")
    }

    /// `av01`, the profile, level and tier, and the number of bits (AV1 Codec ISO Media File Format Binding, 5).
    private static func av1(_ bytes: [UInt8]) -> String? {
        guard bytes.count >= 4, bytes[0] == 0x81 else { return nil }
        let (profile, level) = (bytes[1] >> 5, bytes[1] & 31)
        let (tier, isHigh, isTwelve) = (bytes[2] >> 7, bytes[2] & 0x40 != 0, bytes[2] & 0x20 != 0)
        let bits = !isHigh ? 8 : profile == 2 && isTwelve ? 12 : 10
        return "av01.\(profile).\(decimal(level))\(tier == 0 ? "M" : "H").\(decimal(UInt8(bits)))"
    }

    /// `vp09`, the profile, the level and the number of bits (VP Codec ISO Media File Format Binding). Matroska seldom
    /// stores the configuration; the name is `vp9` then.
    private static func vp9(_ bytes: [UInt8]) -> String {
        // In a box, the configuration follows the version 1 and the flags.
        if bytes.count >= 7, bytes.starts(with: [1, 0, 0, 0]) {
            return vp9(profile: bytes[4], level: bytes[5], bits: bytes[6] >> 4)
        }
        // Matroska has a list of features, each with its number, its length in bytes and its value (WebM's "VP9 Codec
        // Feature Metadata"): 1 for the profile, 2 for the level, 3 for the number of bits.
        var features: [UInt8: UInt8] = [:]
        var rest = bytes[...]
        while rest.count >= 3, rest[rest.startIndex + 1] == 1 {
            features[rest[rest.startIndex]] = rest[rest.startIndex + 2]
            rest = rest.dropFirst(3)
        }
        guard rest.isEmpty, let profile = features[1], let level = features[2], let bits = features[3] else {
            return "vp9"
        }
        return vp9(profile: profile, level: level, bits: bits)
    }

    private static func vp9(profile: UInt8, level: UInt8, bits: UInt8) -> String {
        "vp09.\(decimal(profile)).\(decimal(level)).\(decimal(bits))"
    }

    /// `mp4a.40` and the type of the audio object. Without configuration, it is the usual type, that of low complexity.
    private static func aac(_ bytes: [UInt8]) -> String {
        "mp4a.40.\(AudioSpecificConfig(bytes)?.objectType ?? 2)"
    }

    private static func hexadecimal(_ byte: UInt8, width: Int) -> String {
        let text = String(byte, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }

    private static func decimal(_ byte: UInt8) -> String { byte < 10 ? "0\(byte)" : "\(byte)" }
}
