import ThumbwheelCore

/// The values of the wanted keys in a video's metadata. If a key has several values, the first valid one counts.
struct VideoTags {
    /// The wanted keys, in QuickTime's spelling. Programs that convert videos copy them into other containers,
    /// sometimes with other capital letters.
    enum Key: String, CaseIterable {
        case creationDate = "com.apple.quicktime.creationdate"
        case location = "com.apple.quicktime.location.iso6709"
        case contentIdentifier = "com.apple.quicktime.content.identifier"
        case author = "com.apple.quicktime.author"
        /// 1 if the video should be played at the speed at which it was recorded, 0 if it may be played in slow motion.
        case fullRateIntent = "com.apple.quicktime.full-frame-rate-playback-intent"
        case cinematicIntent = "com.apple.quicktime.cinematic-video-intent"
        /// The value is `Time-lapse` for the time-lapses of iPhones.
        case captureMode = "com.apple.photos.capturemode"
        /// The number of frames per second that an Android phone recorded, whatever the frame rate of the video.
        case captureRate = "com.android.capture.fps"

        private static let byName = [String: Key](uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })
        /// The lengths of the keys' names in bytes.
        static let lengths = Set(allCases.map { $0.rawValue.utf8.count })

        init?(name: [UInt8]) {
            // Letters outside ASCII make `lowercased` slow, and no name has them.
            guard Self.lengths.contains(name.count), name.allSatisfy({ $0 < 0x80 }),
                let key = Self.byName[String(decoding: name, as: UTF8.self).lowercased()]
            else { return nil }
            self = key
        }
    }

    private(set) var date: CaptureDate?
    private(set) var location: Location?
    /// A location from a less exact field, used only if there is no other.
    var roughLocation: Location?
    private(set) var contentIdentifier: String?
    private(set) var author: String?
    private(set) var captureMode: String?
    private(set) var fullRateIntent: Int?
    private(set) var cinematicIntent: Int?
    private(set) var captureRate: Double?

    /// The greatest number of bytes of a text that are read.
    static let textLimit = 128

    /// Stores the text of a key.
    mutating func take(_ key: Key, text: [UInt8]) {
        let words = String(decoding: text.prefix(Self.textLimit), as: UTF8.self)
        switch key {
        case .creationDate: date = date ?? CaptureDate(iso: text)
        case .location: location = location ?? Location(iso6709: text)
        case .contentIdentifier:
            guard !text.isEmpty, text.allSatisfy({ 0x21...0x7E ~= $0 }) else { return }
            contentIdentifier = contentIdentifier ?? words
        case .author: author = author ?? words
        case .captureMode: captureMode = captureMode ?? words
        case .fullRateIntent, .cinematicIntent, .captureRate:
            if let number = Double(words) { take(key, number: number) }
        }
    }

    /// Stores the number of a key.
    mutating func take(_ key: Key, number: Double) {
        guard number.isFinite else { return }
        switch key {
        case .fullRateIntent: fullRateIntent = fullRateIntent ?? Int(exactly: number)
        case .cinematicIntent: cinematicIntent = cinematicIntent ?? Int(exactly: number)
        case .captureRate: captureRate = captureRate ?? number
        case .creationDate, .location, .contentIdentifier, .author, .captureMode: break
        }
    }
}
