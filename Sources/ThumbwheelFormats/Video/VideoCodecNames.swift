/// The common names of video codecs, as libav spells them.
enum VideoCodecNames {
    /// Returns the name of a codec from its four characters in an MP4 or AVI file. An unknown codec keeps these
    /// characters as its name.
    static func name(of code: FourCharacterCode) -> String? {
        let text = code.text.lowercased()
        return text.isEmpty || text == "????" ? nil : byCode[text] ?? text
    }

    private static let byCode: [String: String] = {
        var names: [String: String] = [:]
        for (name, codes) in codes {
            for code in codes { names[code] = name }
        }
        return names
    }()

    private static let codes: [(name: String, codes: [String])] = [
        ("h264", ["avc1", "avc2", "avc3", "avc4", "h264", "x264", "davc", "dva1", "dvav"]),
        ("hevc", ["hvc1", "hev1", "hvc2", "hev2", "hevc", "h265", "x265", "dvh1", "dvhe"]),
        ("vvc", ["vvc1", "vvi1"]),
        ("av1", ["av01", "dav1"]),
        ("vp8", ["vp08", "vp80"]),
        ("vp9", ["vp09", "vp90"]),
        ("mpeg4", ["mp4v", "xvid", "divx", "dx50", "fmp4", "3iv2"]),
        ("msmpeg4v3", ["div3", "mp43", "mpg3"]),
        ("msmpeg4v2", ["div2", "mp42"]),
        ("h263", ["s263", "h263"]),
        ("mpeg1video", ["mp1v", "m1v", "mpg1"]),
        ("mpeg2video", ["mp2v", "m2v1", "mpg2", "hdv1", "hdv2", "hdv3", "mx5p", "xdv2", "xdvc"]),
        ("mjpeg", ["jpeg", "mjpg", "mjpa", "mjpb", "avdj", "ljpg"]),
        ("prores", ["apch", "apcn", "apcs", "apco", "ap4h", "ap4x"]),
        ("prores_raw", ["aprn", "aprh"]),
        ("dnxhd", ["avdn", "avdh"]),
        ("dvvideo", ["dvc", "dvcp", "dvpp", "dv5n", "dv5p", "dvh2", "dvh5", "dvh6", "dvsd", "dvhd", "dvsl"]),
        ("cinepak", ["cvid"]),
        ("svq3", ["svq3"]),
        ("rawvideo", ["raw", "2vuy", "yuv2", "i420", "dib"]),
    ]
}
