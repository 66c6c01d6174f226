import Thumbwheel
import ThumbwheelCore

/// A thumbnail as it is made: what an address asks for, after the ladder.
struct ThumbnailOrder {
    let asset: Asset
    let size: PixelSize
    let contentMode: ContentMode
    let crop: NormalizedRect?
    let encoding: ImageEncoding
    private let deliveryMode: DeliveryMode
    /// The format and the quality that `encoding` has.
    private let formatName: String

    /// - Parameter isSigned: Whether the address is signed, and so gets exactly what it names.
    init(
        _ asset: Asset, _ address: ThumbnailAddress, _ format: PictureFormat, isSigned: Bool,
        _ configuration: ServiceHandler.Configuration
    ) {
        self.asset = asset
        size = isSigned ? address.size : configuration.ladder.snapped(address.size)
        contentMode = address.contentMode
        crop = isSigned ? address.crop : address.crop?.snappedToSixteenths
        encoding = format.encoding(quality: configuration.quality)
        deliveryMode = .opportunistic
        formatName = "\(format.rawValue) \(configuration.quality)"
    }

    /// An order for a small picture that is made in the cheapest way.
    ///
    /// - Parameter side: Its longer side in pixels.
    init(previewOf asset: Asset, _ side: Int) {
        self.asset = asset
        size = PixelSize(width: side, height: side)
        contentMode = .aspectFit
        crop = nil
        encoding = .jpeg(quality: 60)
        deliveryMode = .fast
        formatName = "preview"
    }

    func options(
        _ hint: PriorityHint, _ configuration: ServiceHandler.Configuration, _ share: BudgetShare?
    ) -> ImageRequestOptions {
        ImageRequestOptions {
            $0.deliveryMode = deliveryMode
            $0.resizeMode = .exact
            $0.normalizedCropRect = crop
            $0.priority = hint.priority
            $0.urgency = hint.urgency
            $0.isNetworkAccessAllowed = configuration.allowsNetwork
            $0.executor = .inline
            $0.budgetShare = share
        }
    }

    /// What the picture is made of in a number, which is the same for all tenants.
    var contentMark: Int {
        var hasher = Hasher()
        hasher.combine(asset.identifier)
        hasher.combine(asset.contentVersion)
        return hasher.finalize()
    }

    /// The picture in a number, which is the same for all tenants.
    var mark: Int {
        var hasher = Hasher()
        hasher.combine(asset.identifier)
        hasher.combine(asset.contentVersion)
        for number in [size.width, size.height] { hasher.combine(number) }
        hasher.combine(contentMode.rawValue)
        for number in crop.map({ [$0.x, $0.y, $0.width, $0.height] }) ?? [] { hasher.combine(number) }
        hasher.combine(formatName)
        return hasher.finalize()
    }

    /// The strong entity tag of the file, which is known before the file is made: it names all that the bytes depend on. Name
    /// and version are the tenant's own, so tags of different tenants have nothing in common.
    func tag(name: Substring, version: String) -> String {
        let crop = crop.map { "\($0.x),\($0.y),\($0.width),\($0.height)" } ?? ""
        let text =
            "\(name)|\(version)|\(size.width)|\(size.height)|\(contentMode.rawValue)|\(crop)|\(formatName)|\(Self.makers)"
        return "\"" + String(XXHash64.digest(Array(text.utf8)), radix: 36) + "\""
    }

    private static let makers = ThumbwheelVersion.current + "|" + VipsRuntime.version
}
