import ThumbwheelCore

/// The values of the keys in a video's metadata that are of use. The first sound value of a key counts.
struct VideoTags {
    /// The keys, in QuickTime's spelling. Remuxing programs carry them into other containers, in letters of any case.
    enum Key: String, CaseIterable {
        case creationDate = "com.apple.quicktime.creationdate"
        case location = "com.apple.quicktime.location.iso6709"
        case contentIdentifier = "com.apple.quicktime.content.identifier"
        case author = "com.apple.quicktime.author"
        /// 1 if the video is to be played as fast as it was recorded, 0 if slow motion is possible.
        case fullRateIntent = "com.apple.quicktime.full-frame-rate-playback-intent"
        case cinematicIntent = "com.apple.quicktime.cinematic-video-intent"
        /// `Time-lapse` in the time-lapses of iPhones.
        case captureMode = "com.apple.photos.capturemode"
        /// The pictures a second that an Android phone recorded, whatever the rate of playing.
        case captureRate = "com.android.capture.fps"

        private static let byName = [String: Key](uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })
        /// The numbers of bytes that the names of keys have.
        static let lengths = Set(allCases.map { $0.rawValue.utf8.count })

        init?(name: [UInt8]) {
            guard Self.lengths.contains(name.count),
                let key = Self.byName[String(decoding: name, as: UTF8.self).lowercased()]
            else { return nil }
            self = key
        }
    }

    private(set) var date: CaptureDate?
    private(set) var location: Location?
    /// A place in a coarser notation, for files without any other.
    var roughLocation: Location?
    private(set) var contentIdentifier: String?
    private(set) var author: String?
    private(set) var captureMode: String?
    private(set) var fullRateIntent: Int?
    private(set) var cinematicIntent: Int?
    private(set) var captureRate: Double?

    /// The greatest number of bytes of a text that are read.
    static let textLimit = 128

    /// Takes a key's text.
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

    /// Takes a key's number.
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
