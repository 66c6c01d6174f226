import Thumbwheel

/// The images of the items in a grid's window.
///
/// Several items may show the same image. Such an image has one entry in the manager's window, which stays until the
/// last of these items leaves.
struct WindowImages: Sendable {
    private var images: [Int: CheckedImage] = [:]
    private var itemCounts: [RenditionKey: Int] = [:]

    subscript(item: Int) -> CheckedImage? { images[item] }

    /// - Parameter image: nil if the item's image cannot be requested; the item is not recorded then.
    mutating func insert(_ image: CheckedImage?, for item: Int) {
        guard let image, images.updateValue(image, forKey: item) == nil else { return }
        itemCounts[image.key, default: 0] += 1
    }

    /// - Returns: the images that no item in the window shows any more.
    mutating func remove(_ items: [Int]) -> [CheckedImage] {
        items.compactMap { item in
            guard let image = images.removeValue(forKey: item), let count = itemCounts[image.key] else { return nil }
            itemCounts[image.key] = count > 1 ? count - 1 : nil
            return count > 1 ? nil : image
        }
    }
}
