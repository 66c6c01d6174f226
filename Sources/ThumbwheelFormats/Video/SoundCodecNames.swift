/// The common names of sound codecs, as libav spells them.
enum SoundCodecNames {
    /// Returns the name of a codec from the four characters in an MP4 or QuickTime file. An unknown codec keeps these
    /// characters as its name. `mp4a` stands for AAC, unless the configuration of the decoder names another codec.
    static func name(of code: FourCharacterCode) -> String? {
        let text = code.text.lowercased()
        return text.isEmpty || text == "????" ? nil : byCode[text] ?? text
    }

    /// Returns the name of a codec from its name in Matroska files.
    static func name(ofMatroska id: String, bits: Int) -> String? {
        switch id {
        case "A_PCM/INT/LIT": return bits == 8 ? "pcm_u8" : "pcm_s\(bits)le"
        case "A_PCM/INT/BIG": return bits == 8 ? "pcm_u8" : "pcm_s\(bits)be"
        case "A_PCM/FLOAT/IEEE": return "pcm_f\(bits)le"
        default:
            return matroska.first { id.hasPrefix($0.prefix) }?.name ?? (id.isEmpty ? nil : id.lowercased())
        }
    }

    /// Returns the name of a codec from its number in AVI files (`wFormatTag`); nil if it is not known.
    static func name(ofWave tag: Int, bits: Int) -> String? {
        switch tag {
        case 1: bits == 8 ? "pcm_u8" : "pcm_s\(bits)le"
        case 3: "pcm_f\(bits)le"
        case 6: "pcm_alaw"
        case 7: "pcm_mulaw"
        case 0x11: "adpcm_ima_wav"
        case 0x50: "mp2"
        case 0x55: "mp3"
        case 0xFF, 0x1600: "aac"
        case 0x161: "wmav2"
        case 0x2000: "ac3"
        case 0x2001: "dts"
        default: nil
        }
    }

    private static let byCode: [String: String] = [
        "mp4a": "aac", "ac-3": "ac3", "ec-3": "eac3", "opus": "opus", "flac": "flac", "alac": "alac", ".mp3": "mp3",
        ".mp2": "mp2",
        "dtsc": "dts", "dtsh": "dts", "dtsl": "dts", "samr": "amr_nb", "sawb": "amr_wb", "sowt": "pcm_s16le",
        "twos": "pcm_s16be",
        "in24": "pcm_s24be", "in32": "pcm_s32be", "fl32": "pcm_f32be", "fl64": "pcm_f64be", "raw": "pcm_u8",
        "ulaw": "pcm_mulaw", "alaw": "pcm_alaw", "ima4": "adpcm_ima_qt", "qdm2": "qdm2",
    ]

    private static let matroska: [(prefix: String, name: String)] = [
        ("A_AAC", "aac"), ("A_OPUS", "opus"), ("A_VORBIS", "vorbis"), ("A_MPEG/L3", "mp3"), ("A_MPEG/L2", "mp2"),
        ("A_MPEG/L1", "mp1"), ("A_EAC3", "eac3"), ("A_AC3", "ac3"), ("A_DTS", "dts"), ("A_TRUEHD", "truehd"),
        ("A_FLAC", "flac"), ("A_ALAC", "alac"), ("A_WAVPACK4", "wavpack"),
    ]
}
