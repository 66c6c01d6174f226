import ThumbwheelCore
import ThumbwheelFormats

/// Tests of an asset's metadata and resources, used by smart albums.
enum RowTraits {
    static func isRAW(_ contentType: ContentType, _ resources: [AssetResource]) -> Bool {
        // The media types of cameras' raw formats are all unregistered and so begin with `image/x-`, such as
        // image/x-adobe-dng and image/x-canon-cr3.
        contentType.rawValue.hasPrefix("image/x-") || resources.contains { $0.type == .alternatePhoto }
    }

    static func isAnimated(_ head: ImageHead) -> Bool { head.contentType.holdsAnimations && head.frameCount > 1 }
}
