import ThumbwheelRendering

/// The program `thumbwheel-decoder`, which hosts start to decode files outside their own process.
@main
enum DecoderTool {
    static func main() { DecoderProgram.run() }
}
