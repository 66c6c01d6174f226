import FixtureKit
import TestSupport
import Testing
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelMedia
import ThumbwheelRendering

/// The frames that represent videos, beside those that ffmpeg makes.
@Suite(
    "Posters", .enabled(if: ClipPicture.maker != nil, "the command ffmpeg is not installed"),
    .takesTurns, .endsHangs)
struct PosterTests {
    /// The greatest mean difference, in 8-bit levels, from a picture that ffmpeg has resampled in another way.
    private static let tolerance = 3.0

    @Test("the first frame is shown upright, in all containers and codings, as ffmpeg shows it")
    func containers() async {
        await #expect(processExitsWith: .success) { try Self.compareContainers() }
    }

    private static func compareContainers() throws {
        VideoDecoding.install()
        let folder = try ScratchFolder()
        for clip in ClipLibrary.all where clip.name != "cover.jpg" && clip.name != "hdr.mov" {
            guard let picture = try ClipPicture(clip, in: folder) else { continue }
            let isUpright = clip.name != "right.mov" && clip.name != "left.mov"
            let (width, height) = isUpright ? (160, 90) : (90, 160)
            let image = try picture.image(width: width, height: height)
            #expect(image.decoder == .libavcodec && image.bitmap.size == PixelSize(width: width, height: height))
            let difference = ClipPicture.difference(
                image.bitmap, try picture.reference(width: width, height: height))
            #expect(difference < tolerance, "\(clip.name): \(difference)")
        }
    }

    @Test("matrices, ranges, depths and samplings of colour are those of the video")
    func colours() async {
        await #expect(processExitsWith: .success) { try Self.compareColours() }
    }

    private static func compareColours() throws {
        VideoDecoding.install()
        let folder = try ScratchFolder()
        let pictures = Clip.Pictures(seconds: 1, hasSound: false)
        func colors(_ name: String, _ full: Bool = false) -> [String] {
            let range = full ? "pc" : "tv"
            return [
                "-vf", "scale=out_color_matrix=\(name):out_range=\(range)", "-colorspace",
                ["bt601": "smpte170m", "bt2020": "bt2020nc"][name] ?? name, "-color_range", range, "-color_primaries",
                "bt709", "-color_trc", "bt709",
            ]
        }
        let formats = [("yuv422p", "high422"), ("yuv444p", "high444"), ("yuv420p10le", "high10")]
        let clips =
            ["bt601", "bt709", "bt2020"].flatMap { name in
                [false, true].map { full in
                    Clip("\(name)-\(full).mp4", encoder: "libx264", pictures, colors(name, full))
                }
            }
            + formats.map { format, profile in
                Clip("\(format).mp4", encoder: "libx264", pictures, ["-pix_fmt", format, "-profile:v", profile])
            } + [Clip("grey.avi", encoder: "mjpeg", pictures, ["-vf", "format=gray,format=yuvj420p"])]
        for clip in clips {
            guard let picture = try ClipPicture(clip, in: folder) else { continue }
            let image = try picture.image(width: 160, height: 90)
            let difference = ClipPicture.difference(image.bitmap, try picture.reference(width: 160, height: 90))
            #expect(difference < tolerance, "\(clip.name): \(difference)")
        }
    }

    @Test("light of high dynamic range is mapped as in photographs")
    func highDynamicRange() async {
        await #expect(processExitsWith: .success) { try Self.compareHighDynamicRange() }
    }

    private static func compareHighDynamicRange() throws {
        VideoDecoding.install()
        let folder = try ScratchFolder()
        let pq = Clip(
            "pq.mov", encoder: "libx265", Clip.Pictures(seconds: 1, hasSound: false),
            [
                "-pix_fmt", "yuv420p10le", "-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace",
                "bt2020nc", "-tag:v", "hvc1",
            ])
        for clip in [pq, try ClipLibrary.clip("hdr.mov")] {
            guard let picture = try ClipPicture(clip, in: folder) else { continue }
            let coded = try picture.reference(width: 160, height: 90, filters: "setparams=colorspace=bt2020nc,")
            let samples = Bitmap(size: PixelSize(width: 160, height: 90), format: .rgb) { $0.copyBytes(from: coded) }
            let expected = try VideoColors.mapped(samples, transfer: clip.name == "pq.mov" ? 16 : 18)
            let image = try picture.image(width: 160, height: 90)
            let difference = ClipPicture.difference(image.bitmap, expected)
            #expect(difference < tolerance, "\(clip.name): \(difference)")
            #expect(ClipPicture.difference(image.bitmap, coded) > 2 * tolerance)
            #expect(try picture.image(width: 160, height: 90, range: .extended).bitmap.format == .linearRGBA)
        }
    }

    @Test("pixels that are not square and fields of interlaced frames make pictures of the right shape")
    func shapes() async {
        await #expect(processExitsWith: .success) { try Self.compareShapes() }
    }

    private static func compareShapes() throws {
        VideoDecoding.install()
        let folder = try ScratchFolder()
        let interlaced = Clip(
            "interlaced.mp4", encoder: "libx264", Clip.Pictures(width: 640, height: 360, seconds: 1, hasSound: false),
            ["-vf", "tinterlace=mode=interleave_top", "-flags", "+ilme+ildct", "-x264-params", "interlaced=1:tff=1"])
        if let picture = try ClipPicture(interlaced, in: folder) {
            let first = try picture.reference(
                width: 160, height: 90, filters: "separatefields,select=eq(n\\,0),")
            #expect(ClipPicture.difference(try picture.image(width: 160, height: 90).bitmap, first) < tolerance)
            let whole = RenderOptions(targetSize: .maximum, resizeMode: .none)
            #expect(
                try ClipPicture.render(picture.source, whole).bitmap.size == PixelSize(width: 640, height: 360))
        }
        if let picture = try ClipPicture(named: "wide.mp4", in: folder) {
            let whole = RenderOptions(targetSize: .maximum, resizeMode: .none)
            #expect(
                try ClipPicture.render(picture.source, whole).bitmap.size == PixelSize(width: 1024, height: 576))
            let part = RenderOptions(
                targetSize: PixelSize(width: 64, height: 64), contentMode: .aspectFit, resizeMode: .exact,
                normalizedCropRect: NormalizedRect(x: 0.5, y: 0, width: 0.5, height: 1))
            #expect(try ClipPicture.render(picture.source, part).bitmap.size == PixelSize(width: 57, height: 64))
        }
    }

    @Test("frames that are black or of one colour do not represent a video, unless it has no others")
    func blackBeginning() async {
        await #expect(processExitsWith: .success) { try Self.compareBlackBeginnings() }
    }

    private static func compareBlackBeginnings() throws {
        VideoDecoding.install()
        let folder = try ScratchFolder()
        let pictures = Clip.Pictures(rate: "30", seconds: 3, hasSound: false)
        for (name, color, end) in [("black.mp4", "black", "1.5"), ("red.mkv", "red", "1.5"), ("all.mp4", "black", "9")]
        {
            let clip = Clip(
                name, encoder: "libx264", pictures,
                ["-g", "30", "-sc_threshold", "0", "-vf", "drawbox=enable='lt(t,\(end))':color=\(color):t=fill"])
            guard let picture = try ClipPicture(clip, in: folder) else { continue }
            let poster = try picture.image(width: 160, height: 90).bitmap
            let shown = end == "9" ? 0.0 : 2
            let difference = ClipPicture.difference(
                poster, try picture.reference(width: 160, height: 90, at: shown))
            #expect(difference < tolerance, "\(name): \(difference)")
            // At a stated time, what is there is shown.
            let first = try picture.image(width: 160, height: 90, at: 0).bitmap
            #expect(ClipPicture.difference(first, try picture.reference(width: 160, height: 90)) < tolerance)
        }
    }

    @Test("the key frame nearest to a time is shown, and several frames of one pass are those of one each")
    func times() async {
        await #expect(processExitsWith: .success) { try Self.compareTimes() }
    }

    private static func compareTimes() throws {
        VideoDecoding.install()
        let folder = try ScratchFolder()
        let pictures = Clip.Pictures(rate: "30", seconds: 6, hasSound: false)
        for name in ["times.mp4", "times.mkv", "times.avi"] {
            let clip = Clip(name, encoder: "libx264", pictures, ["-g", "30", "-bf", "0", "-sc_threshold", "0"])
            guard let picture = try ClipPicture(clip, in: folder) else { continue }
            let cases = [(0.2, 0), (0.8, 1), (2.4, 2), (2.6, 3), (4.9, 5), (100, 5)]
            let options = cases.map { time, _ in
                var options = RenderOptions(targetSize: PixelSize(width: 160, height: 90))
                options.frameTime = time
                return options
            }
            let facts = try PhotographFacts(readingVideo: picture.source)
            let strip = try Renderer().render(picture.source, head: facts.head, options: options.reversed())
            for (index, (time, second)) in cases.enumerated() {
                let image = try picture.image(width: 160, height: 90, at: time).bitmap
                let difference = ClipPicture.difference(
                    image, try picture.reference(width: 160, height: 90, at: Double(second)))
                #expect(difference < tolerance, "\(name) at \(time): \(difference)")
                let other = try strip[cases.count - 1 - index].get().bitmap
                #expect(other.withUnsafeBytes { other in image.withUnsafeBytes { $0.elementsEqual(other) } })
            }
        }
    }
}
