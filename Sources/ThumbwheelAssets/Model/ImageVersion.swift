import ThumbwheelFormats

/// The pictures that an asset can have; see <doc:Semantics#Versions-of-a-picture>.
public enum ImageVersion: String, Sendable, Hashable, CaseIterable {
    /// The asset in its present state, with its adjustments.
    case current
    /// The asset before any adjustment. If a RAW file accompanies a JPEG file, this is the JPEG.
    case unadjusted
    /// The picture closest to the sensor's data. If a RAW file accompanies a JPEG file, this is the RAW.
    case original
}

extension Asset {
    /// The first case of `ImageVersion` that shows the same picture as `version`. For example, the unadjusted version
    /// of an asset that was never adjusted is the current one.
    package func resolved(_ version: ImageVersion) -> ImageVersion {
        switch version {
        case .current: .current
        case .original where resources.contains { $0.type == .alternatePhoto }: .original
        case .unadjusted, .original: hasAdjustments ? .unadjusted : .current
        }
    }

    /// The resource that shows a version; see <doc:Semantics#Versions-of-a-picture>.
    public func resource(of version: ImageVersion) -> AssetResource {
        let kind: AssetResourceType
        switch resolved(version) {
        case .current: return resource
        case .unadjusted: kind = .photo
        case .original: kind = .alternatePhoto
        }
        return resources.first { $0.type == kind } ?? resource
    }

    /// The facts read from the head of a version's file; nil if the head has not been read.
    package func head(of version: ImageVersion) -> ImageHead? {
        switch resolved(version) {
        case .current: head
        case .unadjusted: facts.adjustment?.originalHead
        case .original: nil
        }
    }

    /// The length of a version's file in bytes; nil if it is unknown.
    package func fileSize(of version: ImageVersion) -> Int? {
        switch resolved(version) {
        case .current: fileSize
        case .unadjusted: facts.adjustment?.originalFileSize
        case .original: nil
        }
    }

    /// Whether the pixels of a version can be read without a network.
    public func isLocallyAvailable(_ version: ImageVersion) -> Bool {
        version == .current ? isLocallyAvailable : resource(of: version).isLocallyAvailable
    }

    /// A smaller copy of the photograph that is available locally while the version itself is not. Nil if the version
    /// itself is available locally, if there is no such copy, or if it would show another picture.
    public func localProxy(of version: ImageVersion = .current) -> AssetResource? {
        let shown = resource(of: version)
        guard shown.type == .photo, !shown.isLocallyAvailable else { return nil }
        return resources.first { $0.type == .photoProxy && $0.isLocallyAvailable }
    }
}
