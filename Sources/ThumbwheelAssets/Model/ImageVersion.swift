import ThumbwheelFormats

/// The pictures that an asset can have; see <doc:Semantics#Versions-of-a-picture>.
public enum ImageVersion: String, Sendable, Hashable, CaseIterable {
    /// As the asset looks now, with its adjustments.
    case current
    /// As it was before any adjustment; of a RAW beside its JPEG, the JPEG.
    case unadjusted
    /// What is closest to the sensor: of a RAW beside its JPEG, the RAW.
    case original
}

extension Asset {
    /// The first of the versions that show the same picture: one that was never adjusted has no other than the current one.
    package func resolved(_ version: ImageVersion) -> ImageVersion {
        switch version {
        case .current: .current
        case .original where resources.contains { $0.kind == .alternatePhoto }: .original
        case .unadjusted, .original: hasAdjustments ? .unadjusted : .current
        }
    }

    /// The bytes of a version; see <doc:Semantics#Versions-of-a-picture>.
    public func resource(of version: ImageVersion) -> AssetResource {
        let kind: AssetResource.Kind
        switch resolved(version) {
        case .current: return resource
        case .unadjusted: kind = .photo
        case .original: kind = .alternatePhoto
        }
        return resources.first { $0.kind == kind } ?? resource
    }

    /// What the head of a version's file told; nil where it has not been read.
    package func head(of version: ImageVersion) -> ImageHead? {
        switch resolved(version) {
        case .current: head
        case .unadjusted: facts.adjustment?.originalHead
        case .original: nil
        }
    }

    /// The length of a version's file; nil where it is not known.
    package func fileSize(of version: ImageVersion) -> Int? {
        switch resolved(version) {
        case .current: fileSize
        case .unadjusted: facts.adjustment?.originalFileSize
        case .original: nil
        }
    }

    /// Whether the pixels of a version can be had without a network.
    public func isLocallyAvailable(_ version: ImageVersion) -> Bool {
        version == .current ? isLocallyAvailable : resource(of: version).isLocallyAvailable
    }

    /// A smaller copy of the photograph that is at hand while a version of it is not; nil where there is none, or where it
    /// would show another picture.
    public func localProxy(of version: ImageVersion = .current) -> AssetResource? {
        let shown = resource(of: version)
        guard shown.kind == .photo, !shown.isLocallyAvailable else { return nil }
        return resources.first { $0.kind == .photoProxy && $0.isLocallyAvailable }
    }
}
