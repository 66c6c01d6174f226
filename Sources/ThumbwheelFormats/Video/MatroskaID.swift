/// The identifiers of the elements of Matroska (RFC 9559, 5) that are read.
enum MatroskaID {
    static let header = 0x1A45_DFA3
    static let docType = 0x4282
    static let segment = 0x1853_8067

    static let seekHead = 0x114D_9B74
    static let seek = 0x4DBB
    static let seekID = 0x53AB
    static let seekPosition = 0x53AC

    static let info = 0x1549_A966
    static let timestampScale = 0x2AD7B1
    static let duration = 0x4489
    static let date = 0x4461

    static let tracks = 0x1654_AE6B
    static let trackEntry = 0xAE
    static let trackNumber = 0xD7
    static let trackType = 0x83
    static let isEnabled = 0xB9
    static let codec = 0x86
    static let codecPrivate = 0x63A2
    static let language = 0x22B59C
    static let languageTag = 0x22B59D
    static let sound = 0xE1
    static let samplingFrequency = 0xB5
    static let channels = 0x9F
    static let bitDepth = 0x6264
    static let defaultDuration = 0x23E383
    static let video = 0xE0
    static let pixelWidth = 0xB0
    static let pixelHeight = 0xBA
    static let cropBottom = 0x54AA
    static let cropTop = 0x54BB
    static let cropLeft = 0x54CC
    static let cropRight = 0x54DD
    static let displayWidth = 0x54B0
    static let displayHeight = 0x54BA
    static let displayUnit = 0x54B2
    static let color = 0x55B0
    static let matrix = 0x55B1
    static let range = 0x55B9
    static let transfer = 0x55BA
    static let primaries = 0x55BB
    static let projection = 0x7670
    static let projectionYaw = 0x7673
    static let projectionRoll = 0x7675

    static let cluster = 0x1F43_B675
    static let tags = 0x1254_C367
    static let tag = 0x7373
    static let simpleTag = 0x67C8
    static let tagName = 0x45A3
    static let tagText = 0x4487

    static let attachments = 0x1941_A469
    static let attachedFile = 0x61A7
    static let fileName = 0x466E
    static let fileData = 0x465C
}
