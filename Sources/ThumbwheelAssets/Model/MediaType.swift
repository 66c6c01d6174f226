/// What kind of thing an asset is (row 5).
public enum MediaType: Int, Sendable, Codable, CaseIterable {
    case unknown = 0
    case image = 1
    case video = 2
    case audio = 3
}
