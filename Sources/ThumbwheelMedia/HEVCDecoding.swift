import CLibAV
import ThumbwheelRendering

/// The decoding of HEVC by libavcodec. Debian builds libavcodec under the GNU General Public License, version 2 or later, so
/// whoever links this product distributes under its terms.
///
/// libavcodec takes half of libde265's time to decode the photographs of phones. A host calls `install()` once, before it
/// renders; without that call, libde265 decodes them, under the Lesser General Public License.
public enum HEVCDecoding {
    /// Makes this process decode the HEVC pictures of HEIC files by libavcodec. Further calls change nothing. The log of libav,
    /// which belongs to the process, is silenced.
    ///
    /// Decodes that have already begun keep their decoder.
    public static func install() {
        // A damaged picture is reported as an error of this library, and not as a line in libav's log.
        av_log_set_level(AV_LOG_QUIET)
        HEVCDecoders.install(version: "\(avcodec_version())") { parameters throws(RenderError) in
            try LibAVDecoder(parameters)
        }
    }
}
