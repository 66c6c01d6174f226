// Re-exports the modules whose types appear in the public API, so that a service needs only `import Thumbwheel`.
@_exported import ThumbwheelAssets
@_exported import ThumbwheelCore
@_exported import ThumbwheelFormats
@_exported import ThumbwheelPipeline
@_exported import ThumbwheelRendering

@_exported import enum ThumbwheelCaching.SharedAnswer
@_exported import protocol ThumbwheelCaching.SharedClaim
@_exported import enum ThumbwheelCaching.SharedClaimAnswer
@_exported import struct ThumbwheelCaching.SharedKey
@_exported import protocol ThumbwheelCaching.SharedStore
@_exported import struct ThumbwheelCaching.SharedStoreStatistics
@_exported import enum ThumbwheelCaching.StoreError
@_exported import struct ThumbwheelCaching.StoreKey
@_exported import struct ThumbwheelCaching.StoreStatistics
@_exported import struct ThumbwheelCaching.StoredValue
@_exported import enum ThumbwheelScheduling.RequestPriority
