import ThumbwheelFormats

/// The different pictures of one asset; see <doc:Semantics#Versions-of-a-picture>.
public enum ImageVersion: String, Sendable, Hashable, CaseIterable {
    /// The picture in its present state, with all adjustments.
    case current
    /// The picture before any adjustment. If a RAW file accompanies a JPEG file, it is the JPEG.
    case unadjusted
    /// The picture that is closest to the data of the sensor. If a RAW file accompanies a JPEG file, it is the RAW.
    case original
}

extension Asset {
    /// Returns the first case of `ImageVersion` that has the same picture as `version`. For example, the unadjusted
    /// picture of an asset without adjustments is the current one.
    package func resolved(_ version: ImageVersion) -> ImageVersion {
        switch version {
        case .current: .current
        case .original where resources.contains { $0.type == .alternatePhoto }: .original
        case .unadjusted, .original: hasAdjustments ? .unadjusted : .current
        }
    }

    /// Returns the resource with the picture of a version; see <doc:Semantics#Versions-of-a-picture>.
    public func resource(of version: ImageVersion) -> AssetResource {
        switch resolved(version) {
        case .current: resource
        case .unadjusted: AssetFacts.mainResource(of: resources) ?? resource
        case .original: resources.first { $0.type == .alternatePhoto } ?? resource
        }
    }

    /// Returns the metadata at the start of a version's file; nil if it has not been read.
    package func head(of version: ImageVersion) -> ImageHead? {
        switch resolved(version) {
        case .current: head
        case .unadjusted: facts.adjustment?.originalHead
        case .original: nil
        }
    }

    /// Returns the length of a version's file in bytes; nil if it is unknown.
    package func fileSize(of version: ImageVersion) -> Int? {
        switch resolved(version) {
        case .current: fileSize
        case .unadjusted: facts.adjustment?.originalFileSize
        case .original: nil
        }
    }

    /// Returns whether the pixels of a version can be read without a network.
    public func isLocallyAvailable(_ version: ImageVersion) -> Bool {
        version == .current ? isLocallyAvailable : resource(of: version).isLocallyAvailable
    }

    /// Returns a smaller copy of the photograph that is available locally. The result is nil if the version itself is
    /// available locally, if there is no such copy, or if the copy would show another picture than the version.
    public func localProxy(of version: ImageVersion = .current) -> AssetResource? {
        let shown = resource(of: version)
        guard shown.type == .photo, !shown.isLocallyAvailable else { return nil }
        return resources.first { $0.type == .photoProxy && $0.isLocallyAvailable }
    }
}
