import ThumbwheelCore
import ThumbwheelFormats

extension AssetMediaSubtype {
    /// The subtypes that are recognized from the files of photographs and videos.
    static let readFromPhotographs: AssetMediaSubtype = [
        .photoPanorama, .photoScreenshot, .photoHDR, .photoDepthEffect, .photoSelfPortrait, .photoLongExposure,
        .videoHighFrameRate, .videoTimelapse, .videoScreenRecording, .videoCinematic, .spatialMedia,
    ]
}

extension PhotographFacts {
    /// The media subtypes of the photograph or video (Semantics.md, "Facts in files"). As in Photos, portraits have the
    /// same subtype as all other photographs with a depth map: `photoDepthEffect`.
    package var mediaSubtypes: AssetMediaSubtype {
        kinds.keys.reduce(into: []) { subtypes, kind in
            switch kind {
            case .panorama: subtypes.insert(.photoPanorama)
            case .screenshot: subtypes.insert(.photoScreenshot)
            // Photos has no subtype for videos of high dynamic range.
            case .highDynamicRange: if !head.contentType.isVideo { subtypes.insert(.photoHDR) }
            case .depth, .portrait: subtypes.insert(.photoDepthEffect)
            case .selfPortrait: subtypes.insert(.photoSelfPortrait)
            case .longExposure: subtypes.insert(.photoLongExposure)
            case .slowMotion: subtypes.insert(.videoHighFrameRate)
            case .timelapse: subtypes.insert(.videoTimelapse)
            case .screenRecording: subtypes.insert(.videoScreenRecording)
            case .cinematic: subtypes.insert(.videoCinematic)
            case .spatial: subtypes.insert(.spatialMedia)
            // These two kinds have no media subtype. They are recognized from an asset's metadata and resources.
            case .raw, .animated: break
            }
        }
    }
}
