import ThumbwheelAssets
import ThumbwheelPipeline

// Former names of public methods and properties. They stay for one version, so that the compiler can suggest the new
// names.

extension ImageRequestOptions {
    /// The former name of `allowSecondaryDegradedImage`.
    @available(*, deprecated, renamed: "allowSecondaryDegradedImage")
    public var allowsSecondaryDegradedImage: Bool {
        get { allowSecondaryDegradedImage }
        set { allowSecondaryDegradedImage = newValue }
    }
}

extension ImageManager {
    /// The former name of `init(configuration:)`.
    ///
    /// - Throws: `ConfigurationError` if a number in the configuration is out of bounds.
    @available(*, deprecated, renamed: "init(configuration:)")
    public convenience init(validating configuration: Configuration) throws(ConfigurationError) {
        try self.init(configuration: configuration)
    }

    /// The former name of `requestImageDataAndOrientation(for:options:resultHandler:)`.
    @available(*, deprecated, renamed: "requestImageDataAndOrientation(for:options:resultHandler:)")
    @discardableResult
    public func requestImageData(
        for asset: Asset, options: ImageRequestOptions = ImageRequestOptions(),
        resultHandler: @escaping @Sendable (ImageDataResult) -> Void
    ) -> ImageRequestID {
        requestImageDataAndOrientation(for: asset, options: options, resultHandler: resultHandler)
    }
}
