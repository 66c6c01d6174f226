import ThumbwheelCore

/// The sizes of screens, in pixels, that hardly any pictures except screenshots have. The sizes of video frames (1280 ×
/// 720, 1920 × 1080, 2560 × 1440, 3840 × 2160) and of old cameras (1024 × 768) are left out, because pictures of all
/// kinds have them.
enum ScreenSizes {
    /// Whether a picture has the size of a screen, upright or on its side.
    static func contain(_ size: PixelSize) -> Bool {
        all.contains(PixelSize(width: min(size.width, size.height), height: max(size.width, size.height)))
    }

    /// The sizes, each with its shorter side first.
    private static let all = Set((phones + tablets + computers).map { PixelSize(width: $0.0, height: $0.1) })

    private static let phones = [
        (640, 1136), (750, 1334), (828, 1792), (1080, 2340), (1080, 2400), (1125, 2436), (1170, 2532), (1179, 2556),
        (1206, 2622), (1242, 2208), (1242, 2688), (1284, 2778), (1290, 2796), (1320, 2868), (1440, 2960), (1440, 3040),
        (1440, 3120),
    ]

    private static let tablets = [
        (1200, 1920), (1200, 2000), (1488, 2266), (1536, 2048), (1600, 2560), (1620, 2160), (1640, 2360), (1668, 2224),
        (1668, 2388), (1668, 2420), (1752, 2800), (1800, 2560), (1848, 2960), (2048, 2732), (2064, 2752),
    ]

    private static let computers = [
        (768, 1366), (900, 1440), (1050, 1680), (1080, 2560), (1440, 2304), (1440, 3440), (1440, 5120), (1504, 2256),
        (1664, 2496), (1664, 2560), (1800, 2880), (1800, 3200), (1824, 2736), (1864, 2880), (1920, 2880), (1920, 3072),
        (1964, 3024), (2160, 3240), (2234, 3456), (2304, 4096), (2400, 3840), (2520, 4480), (2880, 5120), (3384, 6016),
    ]
}
