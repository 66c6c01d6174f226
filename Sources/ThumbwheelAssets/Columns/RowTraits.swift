import ThumbwheelCore
import ThumbwheelFormats

/// Tests of an asset's metadata and resources, used by smart albums.
enum RowTraits {
    static func isRAW(_ contentType: ContentType, _ resources: [AssetResource]) -> Bool {
        // A type that begins with `image/x-` counts as a camera's raw format. Raw formats have unregistered types, such
        // as image/x-adobe-dng and image/x-canon-cr3. The library knows no other image formats with such types.
        contentType.rawValue.hasPrefix("image/x-") || resources.contains { $0.type == .alternatePhoto }
    }

    static func isAnimated(_ head: ImageHead) -> Bool { head.contentType.holdsAnimations && head.frameCount > 1 }
}
