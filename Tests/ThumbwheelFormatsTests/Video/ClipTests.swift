import FixtureKit
import Foundation
import TestSupport
import Testing
import ThumbwheelCore
import ThumbwheelFormats

private enum Clips {
    static let maker = ClipMaker()
    static let names = ClipLibrary.all.filter { $0.name != "cover.jpg" }.map(\.name)
}

/// Heads beside what ffprobe says of the same clips.
@Suite("Heads of clips", .enabled(if: Clips.maker != nil, "the command ffmpeg is not installed"))
struct ClipTests {

    private func head(_ name: String, _ folder: ScratchFolder) throws -> (VideoHead, path: String)? {
        let (maker, clip) = (try #require(Clips.maker), try ClipLibrary.clip(name))
        guard maker.canMake(clip) else { return nil }
        let path = try maker.make(clip, in: folder.path)
        return (try VideoHead(reading: FileByteSource(path: path)), path)
    }

    @Test("size, coding, rotation, length, rate and sound are as ffprobe says", arguments: Clips.names)
    func agreement(name: String) throws {
        let folder = try ScratchFolder()
        guard let (head, path) = try head(name, folder) else {
            print("skipped \(name): ffmpeg lacks an encoder")
            return
        }
        let probe = try Probe(path)
        let video = try #require(probe.streams.first { $0.codec_type == "video" })
        #expect(head.codec == video.codec_name)
        #expect(head.codedSize == PixelSize(width: video.width ?? 0, height: video.height ?? 0))
        #expect(head.hasSound == probe.streams.contains { $0.codec_type == "audio" })
        let seconds = try #require(Double(probe.format.duration ?? ""))
        #expect(abs(head.duration - seconds) < 0.08, "\(head.duration) and \(seconds) seconds")
        let rate = (video.avg_frame_rate ?? "").split(separator: "/").compactMap { Double($0) }
        if let found = head.frameRate, rate.count == 2, rate[1] > 0 {
            #expect(abs(found / (rate[0] / rate[1]) - 1) < 0.03, "\(found) and \(rate[0] / rate[1]) a second")
        } else {
            #expect(head.contentType == .webM || head.contentType == .matroska)
        }
        let turn = video.side_data_list?.compactMap(\.rotation).first ?? 0
        let orientations: [Int: ImageOrientation] = [0: .up, -90: .right, 90: .left, 180: .down, -180: .down]
        #expect(head.orientation == orientations[turn])
        let aspect = (video.sample_aspect_ratio ?? "1:1").split(separator: ":").compactMap { Int($0) }
        if aspect.count == 2, aspect[0] > 0 { #expect(head.pixelAspect == PixelAspect(aspect[0], aspect[1])) }
        if let created = probe.format.tags?["creation_time"] {
            #expect(created.hasPrefix("2023-05-06T07:08:09"))
            let date = try #require(head.captureDate).date(assuming: .gmt)
            #expect(date == Date(timeIntervalSince1970: 1_683_356_889))
        }
        if probe.format.tags?["location"] != nil {
            // MP4's box for places has fractions of 65 536ths of a degree.
            let place = try #require(head.location)
            #expect(abs(place.latitude - 48.2085) < 2e-5 && abs(place.longitude - 16.3721) < 2e-5)
            #expect(place.altitude == 171)
        }
    }

    @Test("tracks, their codecs, languages and sound are as ffprobe says", arguments: Clips.names)
    func tracks(name: String) throws {
        let (maker, clip) = (try #require(Clips.maker), try ClipLibrary.clip(name))
        guard maker.canMake(clip) else { return print("skipped \(name): ffmpeg lacks an encoder") }
        let folder = try ScratchFolder()
        let path = try maker.make(clip, in: folder.path)
        let contents = try VideoContents(reading: FileByteSource(path: path))
        let bytes = try FileByteSource(path: path)
        #expect(contents.head == (try VideoHead(reading: bytes)))
        // A cover is no track here.
        let streams = try Probe(path).streams.filter { $0.disposition?["attached_pic"] != 1 }
        #expect(contents.tracks.count == streams.count)
        for (track, stream) in zip(contents.tracks, streams) {
            #expect(track.codec == stream.codec_name)
            #expect(track.kind == (stream.codec_type == "video" ? .video : .sound))
            let language = stream.tags?["language"].flatMap { $0 == "und" ? nil : $0 }
            #expect(track.language == language || track.language == "eng" && language == nil)
            if track.kind == .video {
                #expect(track.codedSize == PixelSize(width: stream.width ?? 0, height: stream.height ?? 0))
            } else {
                #expect(track.channelCount == stream.channels)
                #expect(track.sampleRate == Double(stream.sample_rate ?? ""))
            }
            // ffprobe finds the configuration of some codecs in the data; of those that state it, it is the same.
            if !track.configuration.isEmpty, let size = stream.extradata_size, track.codec != "vp9" {
                #expect(track.configuration.count == size || track.codec == "opus", "\(track.configuration)")
            }
            if let duration = track.duration, let seconds = Double(stream.duration ?? "") {
                #expect(abs(duration - seconds) < 0.6, "\(duration) and \(seconds) seconds")
            }
        }
        #expect(contents.tracks[contents.shownTrack].codec == contents.head.codec)
        let isInFront = ["front.mp4", "fragments.mp4", "index.mp4"].contains(name)
        let isMovie = [.mp4, .quickTime, .threeGPP].contains(contents.head.contentType)
        #expect(contents.isIndexInFront == (isInFront || !isMovie))
    }

    @Test("facts that only our heads tell")
    func facts() throws {
        let folder = try ScratchFolder()
        let live = try #require(try head("live.mov", folder)).0
        #expect(live.contentIdentifier == "CLIP-LIVE" && live.captureDate?.secondsFromGMT == 7200)
        #expect(try #require(try head("android.mp4", folder)).0.kinds[.slowMotion] != nil)
        #expect(try #require(try head("slow.mov", folder)).0.kinds[.slowMotion] != nil)
        let (covered, path) = try #require(try head("cover.mp4", folder))
        let cover = try #require(covered.cover)
        let picture = SubrangeByteSource(try FileByteSource(path: path), range: cover.byteRange)
        #expect(cover.contentType == .jpeg && cover.kind == .cover)
        #expect(try ImageHead(reading: picture).storedSize == PixelSize(width: 160, height: 90))
    }
}

/// What ffprobe says of a file.
private struct Probe: Decodable {
    struct Stream: Decodable {
        struct SideData: Decodable {
            var rotation: Int?
        }

        // The names are those of ffprobe's document.
        // swift-format-ignore: AlwaysUseLowerCamelCase
        var codec_type, codec_name, avg_frame_rate, sample_aspect_ratio, sample_rate, duration: String?
        // swift-format-ignore: AlwaysUseLowerCamelCase
        var width, height, channels, extradata_size: Int?
        var tags: [String: String]?
        var disposition: [String: Int]?
        // swift-format-ignore: AlwaysUseLowerCamelCase
        var side_data_list: [SideData]?
    }

    struct Format: Decodable {
        var duration: String?
        var tags: [String: String]?
    }

    var streams: [Stream]
    var format: Format

    init(_ path: String) throws {
        let probe = try #require(ClipMaker.path(of: "ffprobe"))
        self = try JSONDecoder().decode(
            Probe.self,
            from: ClipMaker.output(
                probe, ["-v", "error", "-of", "json", "-show_streams", "-show_format", path]))
    }
}
