import CLibAV
import ThumbwheelRendering

/// The decoding of videos by libavformat and libavcodec. Debian builds both under the GNU General Public License, version 2
/// or later, so whoever links this product distributes under its terms.
///
/// A host calls `install()` once, before it makes its first request. Then requests for the images of videos are answered by
/// frames. Without that call, a video shows the cover picture in its file, or none.
public enum VideoDecoding {
    /// Makes this process decode the frames of videos by libavformat and libavcodec. Further calls change nothing. The log
    /// of libav, which belongs to the process, is silenced.
    public static func install() {
        // A damaged video is reported as an error of this library, and not as a line in libav's log.
        av_log_set_level(AV_LOG_QUIET)
        VideoDecoders.install(version: "\(avcodec_version()) \(avformat_version())") { input throws(RenderError) in
            try LibAVVideo(input)
        }
    }
}
