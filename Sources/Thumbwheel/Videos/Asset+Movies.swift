import ThumbwheelAssets

extension Asset {
    /// Returns the resource with the moving picture of a version: the video itself, or the movie of a Live Photo. Nil
    /// for other assets.
    ///
    /// If an edit of a Live Photo has rendered only the still, the movie is the original one.
    func movieResource(of version: ImageVersion) -> AssetResource? {
        func first(_ type: AssetResourceType) -> AssetResource? { resources.first { $0.type == type } }
        switch mediaType {
        case .video: return resource(of: version)
        case .image:
            // The edited movie, if there is one. It is looked up even if the edit has left no edited still, because an
            // edit may change only the movie.
            let edited = version == .current ? first(.fullSizePairedVideo) : nil
            return edited ?? first(.pairedVideo)
        default: return nil
        }
    }
}
