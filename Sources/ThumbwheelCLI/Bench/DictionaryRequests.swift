import Thumbwheel
import ThumbwheelLocks

/// What a plain cache does: a dictionary behind a lock. It has its keys, as many as there are assets, ready made, and like
/// the manager an image of its own for each of them.
final class DictionaryRequests: Sendable {
    private let images: Mutex<[RenditionKey: Bitmap]>
    private let keys: [RenditionKey]
    private let order: [Int]
    /// Keeps the locks of two dictionaries out of each other's cache lines, wherever the allocator puts them.
    private let space = SIMD16<UInt64>()

    /// - Parameter order: which of the assets are asked for, one after another.
    init(assets: [Asset], order: [Int], size: PixelSize) {
        keys = assets.map { asset in
            RenditionKey(
                subject: RenditionKey.Subject(asset: asset.identifier, picture: asset.pictureVersion()),
                kind: .high, options: RenderOptions(targetSize: size))
        }
        images = Mutex(Dictionary(uniqueKeysWithValues: keys.map { ($0, Bitmap.blank) }))
        self.order = order
    }

    func run() -> Int {
        let cell = Cell()
        for number in order {
            if let bitmap = images.withLock({ $0[keys[number]] }) { cell.show(bitmap) }
        }
        return cell.shownCount
    }
}
