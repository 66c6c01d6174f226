import ThumbwheelCore

/// Finds the kinds of a photograph by the facts in its file. Each kind is stored with the first fact that shows it.
struct PictureKindFinder {
    private(set) var kinds: [PictureKind: String] = [:]

    mutating func add(_ kind: PictureKind, by fact: String) {
        if kinds[kind] == nil { kinds[kind] = fact }
    }

    /// Adds the kinds that follow from the coding of the picture.
    mutating func add(by head: ImageHead) {
        if head.contentType.isRAW { add(.raw, by: "the file's type") }
        if head.contentType.holdsAnimations, head.frameCount > 1 { add(.animated, by: "\(head.frameCount) frames") }
        switch head.codedColor?.transfer {
        case 16: add(.highDynamicRange, by: "PQ transfer")
        case 18: add(.highDynamicRange, by: "HLG transfer")
        default: break
        }
    }

    /// Adds the kinds that EXIF and Apple's maker note state.
    mutating func add(by camera: CameraFacts, _ head: ImageHead) {
        if camera.isApple, let rendering = camera.customRendering {
            let fact = "EXIF CustomRendered \(rendering) by Apple"
            if [2, 3, 7].contains(rendering) { add(.highDynamicRange, by: fact) }
            if rendering == 6 { add(.panorama, by: fact) }
            if [7, 8].contains(rendering) { add(.portrait, by: fact) }
        }
        if camera.note?.imageType == 3 { add(.highDynamicRange, by: "Apple maker note HDRImageType 3") }
        if camera.note?.captureType == 2 { add(.portrait, by: "Apple maker note ImageCaptureType 2") }
        if camera.lensModel.lowercased().contains("front") {
            add(.selfPortrait, by: "EXIF LensModel \(camera.lensModel)")
        }
        if let time = camera.exposureTime, time >= 1 { add(.longExposure, by: "EXIF ExposureTime \(time) s") }
        if camera.comment == Self.screenshot { add(.screenshot, by: "EXIF UserComment Screenshot") }
        add(bySoftware: camera.software, of: "EXIF")
        addBySize(camera, head)
    }

    /// Adds the kinds that XMP states.
    mutating func add(by xmp: XMPPacket) {
        if xmp[.userComment] == Self.screenshot { add(.screenshot, by: "XMP exif:UserComment Screenshot") }
        for name in [XMPName.panoramaProjection, .panoramaWidth] where xmp[name] != nil {
            add(.panorama, by: "XMP \(name.rawValue)")
        }
        for name in [XMPName.depthFormat] where xmp[name] != nil { add(.depth, by: "XMP \(name.rawValue)") }
        if xmp[.gainMapVersion] != nil { add(.highDynamicRange, by: "XMP hdrgm:Version") }
        for semantic in xmp.values[.itemSemantic] ?? [] {
            if semantic == "GainMap" { add(.highDynamicRange, by: "XMP Item:Semantic GainMap") }
            if semantic == "Depth" || semantic == "DepthMap" { add(.depth, by: "XMP Item:Semantic \(semantic)") }
        }
    }

    /// Adds the kinds that follow from an auxiliary picture, which is an item of a HEIF file or a JPEG of a
    /// multi-picture file.
    mutating func add(byAuxiliary type: String, of structure: String) {
        let fact = "\(structure) \(type)"
        switch type {
        case "urn:com:apple:photo:2020:aux:hdrgainmap": add(.highDynamicRange, by: fact)
        case "urn:mpeg:hevc:2015:auxid:2", "urn:mpeg:mpegB:cicp:systems:auxiliary:depth", "depth", "disparity":
            add(.depth, by: fact)
        case "urn:com:apple:photo:2018:aux:portraiteffectsmatte": add(.portrait, by: fact)
        default: break
        }
    }

    /// Adds `.screenshot` if the file has a name that phones and desktops give to screenshots.
    mutating func add(byName filename: String) {
        let name = filename.lowercased()
        if name.contains("screenshot") || name.contains("screen shot") { add(.screenshot, by: "the file's name") }
    }

    /// Adds `.screenshot` if the program that wrote the file writes only screenshots.
    mutating func add(bySoftware software: String, of structure: String) {
        let name = software.lowercased()
        if Self.screenshotPrograms.contains(where: name.contains) {
            add(.screenshot, by: "\(structure) Software \(software)")
        }
    }

    private static let screenshot = "Screenshot"
    /// Parts of the names of programs that write nothing but screenshots.
    private static let screenshotPrograms = ["screenshot", "snipping tool", "spectacle", "flameshot", "greenshot"]
}

extension PictureKindFinder {
    /// The makers of phones whose cameras stitch panoramas.
    private static let phoneMakers = [
        "apple", "samsung", "google", "huawei", "honor", "xiaomi", "oneplus", "oppo", "vivo", "motorola", "lge", "htc",
    ]
    /// The least ratio of sides and the least longer side, in pixels, of a phone's panorama; no single exposure reaches
    /// both.
    private static let panoramaRatio = 3
    private static let panoramaSide = 4096

    /// Adds the kinds that only the size of the picture shows.
    private mutating func addBySize(_ camera: CameraFacts, _ head: ImageHead) {
        let size = head.displaySize
        let (short, long) = (min(size.width, size.height), max(size.width, size.height))
        if long >= Self.panoramaSide, long / Self.panoramaRatio >= short,
            Self.phoneMakers.contains(where: { camera.maker.hasPrefix($0) })
        {
            add(.panorama, by: "\(size) by a phone")
        }
        if head.contentType == .png, camera.maker.isEmpty, ScreenSizes.contain(size) {
            add(.screenshot, by: "a PNG of \(size), the size of a screen")
        }
    }
}
