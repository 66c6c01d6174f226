import CLibAV
import ThumbwheelRendering

/// HEVC by libavcodec, which Debian builds under the GNU General Public License, version 2 or later: whoever links this
/// product distributes under its terms.
///
/// libavcodec decodes the photographs of phones in half of libde265's time. A host calls `install()` once, before it
/// renders; without it, libde265 decodes them, under the Lesser General Public License.
public enum HEVCDecoding {
    /// Has this process decode the HEVC pictures of HEIC files by libavcodec. Further calls change nothing.
    /// libav, whose log belongs to the process, is told to be silent.
    ///
    /// Decodes that have begun go on with the decoder that they began with.
    public static func install() {
        // A damaged picture is an error of this library's, not a line of libav's.
        av_log_set_level(AV_LOG_QUIET)
        HEVCDecoders.install { parameters throws(RenderError) in try LibAVDecoder(parameters) }
    }
}
