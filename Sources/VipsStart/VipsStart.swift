import CVips

/// The start of libvips, once in a process.
///
/// `vips_init` returns at once while another thread is within it, when decoders and encoders that are modules, such as that of
/// HEIF, are not there yet. So the library and its fixtures start libvips here.
package enum VipsStart {
    /// Whether libvips could be started. The first use starts it, and uses on other threads wait for that.
    package static let isUsable = tw_vips_start("thumbwheel") == 0
}
