import ThumbwheelMedia
import ThumbwheelRendering

/// The program `thumbwheel-media-decoder`, which hosts start to decode files outside their own process, videos among
/// them. It links libav, which Debian builds under the GNU General Public License.
@main
enum MediaDecoderTool {
    static func main() {
        HEVCDecoding.install()
        VideoDecoding.install()
        DecoderProgram.run()
    }
}
