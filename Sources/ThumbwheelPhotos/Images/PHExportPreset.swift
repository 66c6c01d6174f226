// The names follow those of AVFoundation.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Thumbwheel

/// Frames and sound are copied.
public let PHExportPresetPassthrough = "AVAssetExportPresetPassthrough"
/// Frames become H.264 of 640×480 pixels at most.
public let PHExportPreset640x480 = "AVAssetExportPreset640x480"
/// Frames become H.264 of 960×540 pixels at most.
public let PHExportPreset960x540 = "AVAssetExportPreset960x540"
/// Frames become H.264 of 1280×720 pixels at most.
public let PHExportPreset1280x720 = "AVAssetExportPreset1280x720"
/// Frames become H.264 of 1920×1080 pixels at most.
public let PHExportPreset1920x1080 = "AVAssetExportPreset1920x1080"
/// Frames become H.264 of 3840×2160 pixels at most.
public let PHExportPreset3840x2160 = "AVAssetExportPreset3840x2160"
/// Frames become H.264 of their own size, in high quality.
public let PHExportPresetHighestQuality = "AVAssetExportPresetHighestQuality"
/// Frames become H.264 of 1280×720 pixels at most, in usual quality.
public let PHExportPresetMediumQuality = "AVAssetExportPresetMediumQuality"
/// Frames become H.264 of 640×480 pixels at most, in low quality.
public let PHExportPresetLowQuality = "AVAssetExportPresetLowQuality"

extension ExportPreset {
    /// The preset of a name; nil if there is none.
    init?(named name: String) {
        switch name {
        case PHExportPresetPassthrough: self = .unchanged
        case PHExportPreset640x480: self = .h264In480
        case PHExportPreset960x540: self = .h264In540
        case PHExportPreset1280x720: self = .h264In720
        case PHExportPreset1920x1080: self = .h264In1080
        case PHExportPreset3840x2160: self = .h264In2160
        case PHExportPresetHighestQuality: self = .h264(fitting: .maximum, quality: 18)
        case PHExportPresetMediumQuality: self = .h264In720
        case PHExportPresetLowQuality: self = .h264(fitting: PixelSize(width: 640, height: 480), quality: 28)
        default: return nil
        }
    }
}
