import ThumbwheelCore

/// The way in which an export treats the frames of the video: it copies them or encodes them anew.
public enum ExportPreset: Sendable, Hashable {
    /// The video and audio tracks are copied into the new file without being encoded anew, which takes about as long as
    /// copying the file.
    ///
    /// A video whose frames have to be rotated for display cannot be exported to a Matroska or WebM file in this way,
    /// because the file would not record the rotation and players would show the frames on their side.
    case unchanged
    /// The frames are encoded anew as H.264: upright, with square pixels, in the colours of BT.709, and with their
    /// sides reduced until they lie within `fitting`. Frames are never enlarged, and with `.maximum` they are not
    /// reduced either. The audio tracks are copied. Those that a file of the type cannot hold, such as the uncompressed
    /// sound of older cameras in an MP4 file, are encoded as AAC; see `VideoExportReport.convertedTracks`.
    ///
    /// `quality` is the constant rate factor of x264, from 0 to 51: 18 is close to the original, 23 is usual, and 28
    /// gives a small file.
    case h264(fitting: PixelSize, quality: Int = 23)

    /// Frames of 640×480 pixels at most.
    public static let h264In480 = ExportPreset.h264(fitting: PixelSize(width: 640, height: 480))
    /// Frames of 960×540 pixels at most.
    public static let h264In540 = ExportPreset.h264(fitting: PixelSize(width: 960, height: 540))
    /// Frames of 1280×720 pixels at most.
    public static let h264In720 = ExportPreset.h264(fitting: PixelSize(width: 1280, height: 720))
    /// Frames of 1920×1080 pixels at most.
    public static let h264In1080 = ExportPreset.h264(fitting: PixelSize(width: 1920, height: 1080))
    /// Frames of 3840×2160 pixels at most.
    public static let h264In2160 = ExportPreset.h264(fitting: PixelSize(width: 3840, height: 2160))
}
