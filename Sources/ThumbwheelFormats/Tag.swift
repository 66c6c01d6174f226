/// The EXIF and TIFF tags that are read.
enum Tag {
    static let exposureTime = 0x829A
    static let makerNote = 0x927C
    static let userComment = 0x9286
    static let customRendered = 0xA401
    static let lensModel = 0xA434

    static let xmp = 0x02BC
    static let gps = 0x8825
    static let latitudeReference = 0x0001
    static let latitude = 0x0002
    static let longitudeReference = 0x0003
    static let longitude = 0x0004
    static let altitudeReference = 0x0005
    static let altitude = 0x0006
    static let imageDirectionReference = 0x0010
    static let imageDirection = 0x0011

    static let orientation = 0x0112
    static let dateTime = 0x0132
    static let previewOffset = 0x0201
    static let previewByteCount = 0x0202
    static let details = 0x8769
    static let dateTimeOriginal = 0x9003
    static let dateTimeDigitized = 0x9004
    static let offset = 0x9010
    static let offsetOriginal = 0x9011
    static let offsetDigitized = 0x9012
    static let subsecond = 0x9290
    static let subsecondOriginal = 0x9291
    static let subsecondDigitized = 0x9292
    static let colorSpace = 0xA001
    static let interoperability = 0xA005
    static let interoperabilityIndex = 0x0001

    static let width = 0x0100
    static let height = 0x0101
    static let bitsPerSample = 0x0102
    static let extraSamples = 0x0152
    static let profile = 0x8773

    static let fillOrder = 0x010A
    static let rowsPerStrip = 0x0116
    static let planarConfiguration = 0x011C
    static let predictor = 0x013D
    static let colorMap = 0x0140
    static let tileWidth = 0x0142
    static let tileHeight = 0x0143
    static let tileOffsets = 0x0144
    static let tileByteCounts = 0x0145
    static let sampleFormat = 0x0153

    static let subfileType = 0x00FE
    static let formerSubfileType = 0x00FF
    static let compression = 0x0103
    static let photometricInterpretation = 0x0106
    static let make = 0x010F
    static let stripOffsets = 0x0111
    static let samplesPerPixel = 0x0115
    static let stripByteCounts = 0x0117
    static let software = 0x0131
    static let subdirectories = 0x014A
    static let jpegTables = 0x015B
    static let dngVersion = 0xC612

    static let multiPictureEntries = 0xB002
}
