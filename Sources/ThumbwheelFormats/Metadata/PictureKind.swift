/// The kinds of photographs and videos that can be told by their files.
public enum PictureKind: String, Sendable, CaseIterable {
    /// A panorama, or a picture that shows all directions around the camera.
    case panorama
    /// A picture of a screen.
    case screenshot
    /// A photograph of high dynamic range: merged from several exposures, with a gain map, or in PQ or HLG.
    case highDynamicRange
    /// A photograph with a map of distances.
    case depth
    /// A photograph with a blurred background (Apple's portrait mode).
    case portrait
    /// A photograph by the camera that looks at its user.
    case selfPortrait
    /// A photograph exposed for a second or more.
    case longExposure
    /// Sensor data in a camera's own format.
    case raw
    /// A picture of several frames.
    case animated
    /// A video recorded with so many frames per second that it can be played in slow motion.
    case slowMotion
    /// A video that is played faster than it was recorded.
    case timelapse
    /// A recording of a screen.
    case screenRecording
    /// A video whose focus can be changed after the recording (Apple's cinematic mode).
    case cinematic
    /// A stereoscopic video, with a picture for each eye.
    case spatial
}
