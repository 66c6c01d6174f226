import CLibAV
import ThumbwheelRendering

/// The export of videos by libavformat and libavcodec. Debian builds both under the GNU General Public License, version
/// 2 or later, so whoever links this product distributes under its terms.
///
/// A host calls `install()` once, before it makes its first request. Without that call, requests for export sessions
/// fail with `.unsupportedMedia`.
public enum VideoExporting {
    /// Makes this process export videos by libavformat and libavcodec, and decode their frames, as
    /// `VideoDecoding.install()` does. Further calls change nothing.
    public static func install() {
        VideoDecoding.install()
        VideoExporters.install { job throws(VideoExportFailure) in try LibAVExport(job).run() }
    }
}
