import ThumbwheelFormats

extension AssetMediaSubtype {
    /// The subtypes that the files of photographs show.
    static let readFromPhotographs: AssetMediaSubtype = [
        .photoPanorama, .photoScreenshot, .photoHDR, .photoDepthEffect, .photoSelfPortrait, .photoLongExposure,
    ]
}

extension PhotographFacts {
    /// The subtypes that follow from the kinds of the photograph (Semantics.md, "Facts in files"). Photos shows photographs
    /// with a depth map and portraits as one subtype.
    package var mediaSubtypes: AssetMediaSubtype {
        kinds.keys.reduce(into: []) { subtypes, kind in
            switch kind {
            case .panorama: subtypes.insert(.photoPanorama)
            case .screenshot: subtypes.insert(.photoScreenshot)
            case .highDynamicRange: subtypes.insert(.photoHDR)
            case .depth, .portrait: subtypes.insert(.photoDepthEffect)
            case .selfPortrait: subtypes.insert(.photoSelfPortrait)
            case .longExposure: subtypes.insert(.photoLongExposure)
            // Assets derive these two from their heads and resources.
            case .raw, .animated: break
            }
        }
    }
}
