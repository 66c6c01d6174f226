extension ExifBlock {
    /// The first directory: the camera and how it was held.
    var camera: TIFFDirectory {
        var directory = TIFFDirectory()
        directory[0x010F] = make.map { .text($0) }
        directory[0x0110] = model.map { .text($0) }
        directory[0x0112] = orientation.map { .shorts([UInt16($0)]) }
        directory[0x011A] = .rationals([(72, 1)])
        directory[0x011B] = .rationals([(72, 1)])
        directory[0x0128] = .shorts([2])
        directory[0x0131] = .text("Thumbwheel fixtures")
        directory[0x0132] = dateTimeOriginal.map { .text($0) }
        directory[0x0213] = .shorts([1])
        return directory
    }

    /// The Exif directory: when and how the picture was exposed.
    var exposure: TIFFDirectory {
        var directory = TIFFDirectory()
        directory[0x829A] = .rationals([(1, 125)])
        directory[0x829D] = .rationals([(56, 10)])
        directory[0x8827] = .shorts([200])
        directory[0x9000] = .undefined(Array("0232".utf8))
        directory[0x9003] = dateTimeOriginal.map { .text($0) }
        directory[0x9004] = dateTimeOriginal.map { .text($0) }
        directory[0x9011] = offsetTimeOriginal.map { .text($0) }
        directory[0x9101] = .undefined([1, 2, 3, 0])
        directory[0x920A] = .rationals([(35, 1)])
        directory[0x9291] = subSecTimeOriginal.map { .text($0) }
        directory[0xA000] = .undefined(Array("0100".utf8))
        directory[0xA001] = colorSpace.map { .shorts([UInt16($0)]) }
        directory[0xA002] = pixelWidth.map { .longs([UInt32($0)]) }
        directory[0xA003] = pixelHeight.map { .longs([UInt32($0)]) }
        return directory
    }

    /// The GPS directory: degrees, minutes and hundredths of seconds, with the hemisphere apart.
    static func gps(_ location: Location) -> TIFFDirectory {
        func angle(_ tenThousandths: Int) -> TIFFDirectory.Value {
            // A ten-thousandth of a degree is 0.36 seconds.
            let hundredthSeconds = tenThousandths.magnitude * 36
            return .rationals([
                (UInt32(hundredthSeconds / 360_000), 1), (UInt32(hundredthSeconds / 6000 % 60), 1),
                (UInt32(hundredthSeconds % 6000), 100),
            ])
        }
        var directory = TIFFDirectory()
        directory[0] = .bytes([2, 3, 0, 0])
        directory[1] = .text(location.latitude < 0 ? "S" : "N")
        directory[2] = angle(location.latitude)
        directory[3] = .text(location.longitude < 0 ? "W" : "E")
        directory[4] = angle(location.longitude)
        return directory
    }

    /// The second directory, which describes the preview that follows it.
    func previewDirectory(_ preview: [UInt8], at offset: Int) -> [UInt8] {
        var directory = TIFFDirectory()
        directory[0x0103] = .shorts([6])
        directory[0x011A] = .rationals([(72, 1)])
        directory[0x011B] = .rationals([(72, 1)])
        directory[0x0128] = .shorts([2])
        directory[0x0201] = .longs([0])
        directory[0x0202] = .longs([UInt32(preview.count)])
        directory[0x0201] = .longs([UInt32(offset + directory.byteCount(byteOrder))])
        return directory.encoded(at: offset, next: 0, order: byteOrder)
    }
}
