// An embedding service writes `import Thumbwheel` and has all that its calls speak of.
@_exported import ThumbwheelAssets
@_exported import ThumbwheelCore
@_exported import ThumbwheelFormats
@_exported import ThumbwheelPipeline
@_exported import ThumbwheelRendering

@_exported import enum ThumbwheelScheduling.RequestPriority
