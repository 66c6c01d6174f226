import Thumbwheel
import ThumbwheelReplay

/// The `thumbwheel.inspect/1` document.
struct InspectDocument: Encodable {
    let schema = "thumbwheel.inspect/1"
    let host: HostDescription
    /// The protections of the processes that decode what is not trusted, on this system.
    let isolation: DecoderProtections
    /// The target that `source` and `scale` are told for.
    let size: String
    let files: [File]

    struct File: Encodable {
        struct Preview: Encodable {
            let kind, type: String
            let offset, bytes: Int
            @Nullable var size: String?
        }

        struct JPEG: Encodable {
            let process: String
            let arithmetic: Bool
            let sampling: String
            let restartInterval: Int
        }

        struct HEIF: Encodable {
            @Nullable var tile: String?
            let tiles: Int
        }

        struct TIFF: Encodable {
            /// The size of the version of the page that a thumbnail is made from, and how many versions there are.
            let level: String
            let levels: Int
            /// The size of that version's tiles or strips, and their number.
            let block: String
            let blocks: Int
            let tiled: Bool
            /// The scale of that version's decode, in eighths.
            let scale: Int
        }

        let file: String
        @Nullable var format: String?
        @Nullable var width: Int?
        @Nullable var height: Int?
        @Nullable var orientation: Int?
        @Nullable var captured: String?
        /// The kinds of the asset, without the facts that show them: `video`, `live`, `hdr`, `panorama` and so on.
        var kinds: [String] = []
        /// The length in seconds; 0 for photographs.
        @Nullable var duration: Double?
        /// The identifier that the two files of a Live Photo share.
        @Nullable var contentIdentifier: String?
        /// The facts about the taking of the photograph.
        @Nullable var facts: Facts?
        @Nullable var video: Video?
        @Nullable var profile: String?
        @Nullable var frames: Int?
        @Nullable var jpeg: JPEG?
        @Nullable var heif: HEIF?
        /// The version of a TIFF that a thumbnail is made from; null where libvips reads the file.
        @Nullable var tiff: TIFF?
        var previews: [Preview] = []
        /// The places of the previews that a degraded image, and a final one of fast delivery, would be made from.
        @Nullable var degradedFrom: Int?
        @Nullable var fastFrom: Int?
        @Nullable var decoder: String?
        @Nullable var stoppable: Bool?
        @Nullable var source: String?
        @Nullable var scale: Int?
        @Nullable var output: String?
        @Nullable var error: RenderDocument.Failure?

        init(path: String, error: RenderError) {
            file = path
            self.error = RenderDocument.Failure(code: error.code, message: error.description)
        }

        init(_ asset: Asset, named name: String, targetSize: PixelSize) {
            let head = asset.head
            file = name
            format = head.contentType.rawValue
            width = asset.pixelWidth
            height = asset.pixelHeight
            orientation = Int(head.orientation.rawValue)
            captured = head.captureDate?.description
            let facts = Facts(asset)
            self.facts = facts
            kinds = facts.kinds.map { $0.kind == PictureKind.highDynamicRange.rawValue ? "hdr" : $0.kind }
            if asset.isVideo { kinds.append("video") }
            if asset.isLivePhoto { kinds.append("live") }
            duration = asset.duration
            contentIdentifier = facts.livePhoto
            video = Video(of: asset)
            profile = head.profile.map { $0.name ?? $0.colorSpace }
            frames = head.frameCount
            jpeg = head.jpeg.map { coding in
                JPEG(
                    process: coding.process.rawValue, arithmetic: coding.isArithmetic,
                    sampling: coding.samplingFactors.map { "\($0.horizontal)x\($0.vertical)" }.joined(separator: " "),
                    restartInterval: coding.restartInterval)
            }
            heif = head.heif.map { coding in
                HEIF(
                    tile: coding.tileSize?.description,
                    tiles: coding.tileSize.map { Self.tiles(of: $0, in: head.storedSize) } ?? 1)
            }
            previews = head.previews.map {
                Preview(
                    kind: $0.kind.rawValue, type: $0.contentType.rawValue, offset: $0.byteRange.lowerBound,
                    bytes: $0.byteRange.count, size: $0.pixelSize?.description)
            }
            do throws(RenderError) {
                let plan = try RenderPlan(head: head, options: RenderOptions(targetSize: targetSize))
                decoder = plan.decoder.rawValue
                if plan.decoder == .tiff { tiff = TIFF(of: asset, targetSize: targetSize) }
                stoppable = plan.isStoppable
                source = plan.source.rawValue
                scale = plan.eighths
                output = plan.outputSize.description
                degradedFrom = plan.degradedPreview?.byteRange.lowerBound
                fastFrom = plan.fastPreview?.byteRange.lowerBound
            } catch {
                // A video without a cover picture is sound, but no image is made of it.
                if asset.isVideo { return }
                self.error = RenderDocument.Failure(code: error.code, message: error.description)
            }
        }

        /// The tiles that cover a picture.
        private static func tiles(of tile: PixelSize, in size: PixelSize) -> Int {
            // The picture is described upright, its tiles as they are stored; tiles of phones are squares.
            guard !tile.isEmpty else { return 1 }
            return (size.width + tile.width - 1) / tile.width * ((size.height + tile.height - 1) / tile.height)
        }

        /// A few lines for people.
        var text: String {
            var lines = [file]
            func add(_ name: String, _ value: String?) {
                if let value { lines.append("  \(name): \(value)") }
            }
            add("format", format)
            if let width, let height { add("size", "\(width)x\(height)") }
            add("orientation", orientation.map(String.init))
            add("captured", captured)
            for line in (video?.lines ?? []) + (facts?.lines ?? []) { add(line.name, line.value) }
            add("profile", profile)
            if let frames, frames > 1 { add("frames", String(frames)) }
            if let jpeg {
                let restarts = jpeg.restartInterval > 0 ? ", restart interval \(jpeg.restartInterval)" : ""
                add(
                    "jpeg",
                    "\(jpeg.process)\(jpeg.arithmetic ? ", arithmetic" : ""), sampling \(jpeg.sampling)\(restarts)")
            }
            if let heif, let tile = heif.tile { add("tiles", "\(heif.tiles) of \(tile)") }
            if let tiff {
                let kind = tiff.tiled ? "tiles" : "strips"
                let scale = tiff.scale < 8 ? ", at \(tiff.scale)/8" : ""
                add(
                    "version for the thumbnail",
                    "\(tiff.level), one of \(tiff.levels), in \(tiff.blocks) \(kind) of \(tiff.block)\(scale)")
            }
            for preview in previews {
                let size = preview.size.map { ", \($0)" } ?? ""
                let uses = [(degradedFrom, "degraded image"), (fastFrom, "fast image")].filter {
                    $0.0 == preview.offset
                }
                let used = uses.isEmpty ? "" : ", for the " + uses.map(\.1).joined(separator: " and the ")
                add(
                    "preview",
                    "\(preview.kind), \(preview.type)\(size), \(preview.bytes) bytes at \(preview.offset)\(used)")
            }
            if let decoder, let source, let scale, let output, let stoppable {
                add("thumbnail", "\(output) from a \(source) decode at \(scale)/8 by \(decoder)")
                add("decoder can be stopped", stoppable ? "yes" : "no")
            }
            if let error { add("error", "\(error.code): \(error.message)") }
            return lines.joined(separator: "\n")
        }
    }
}
