extension Raster {
    /// The pixels as a camera held otherwise would have stored them: displaying the result by EXIF `orientation`
    /// (1...8) gives this picture back.
    package func stored(forOrientation orientation: Int) -> Raster {
        precondition((1...8).contains(orientation), "EXIF knows the orientations 1 to 8")
        let isTurned = orientation >= 5
        let newWidth = isTurned ? height : width
        let newHeight = isTurned ? width : height
        var turned = [UInt8]()
        turned.reserveCapacity(bytes.count)
        bytes.withUnsafeBufferPointer { source in
            for row in 0..<newHeight {
                for column in 0..<newWidth {
                    // The orientation names where the stored row 0 and column 0 are seen (TIFF 6.0, tag 274).
                    let (x, y) =
                        switch orientation {
                        case 1: (column, row)
                        case 2: (width - 1 - column, row)
                        case 3: (width - 1 - column, height - 1 - row)
                        case 4: (column, height - 1 - row)
                        case 5: (row, column)
                        case 6: (width - 1 - row, column)
                        case 7: (width - 1 - row, height - 1 - column)
                        default: (row, height - 1 - column)
                        }
                    let first = (y * width + x) * channels
                    for channel in 0..<channels { turned.append(source[first + channel]) }
                }
            }
        }
        return Raster(width: newWidth, height: newHeight, channels: channels, bytes: turned)
    }

    /// The picture reduced by averaging the pixels that each new one covers, whole pixels only.
    package func reduced(toWidth newWidth: Int, height newHeight: Int) -> Raster {
        precondition(newWidth <= width && newHeight <= height, "reducing never enlarges")
        var reduced = [UInt8]()
        reduced.reserveCapacity(newWidth * newHeight * channels)
        bytes.withUnsafeBufferPointer { source in
            for row in 0..<newHeight {
                let rows = (row * height / newHeight)..<((row + 1) * height / newHeight)
                for column in 0..<newWidth {
                    let columns = (column * width / newWidth)..<((column + 1) * width / newWidth)
                    let area = rows.count &* columns.count
                    for channel in 0..<channels {
                        var sum = area / 2
                        for y in rows {
                            var index = (y &* width &+ columns.lowerBound) &* channels &+ channel
                            for _ in 0..<columns.count {
                                sum = sum &+ Int(source[index])
                                index = index &+ channels
                            }
                        }
                        reduced.append(UInt8(sum / area))
                    }
                }
            }
        }
        return Raster(width: newWidth, height: newHeight, channels: channels, bytes: reduced)
    }

    /// The picture in the middle of a black one: how cameras put a 3:2 picture into EXIF's 4:3 preview.
    package func letterboxed(toWidth newWidth: Int, height newHeight: Int) -> Raster {
        precondition(newWidth >= width && newHeight >= height, "a frame is no smaller than its picture")
        var framed = [UInt8](repeating: 0, count: newWidth * newHeight * channels)
        let left = (newWidth - width) / 2
        let top = (newHeight - height) / 2
        for y in 0..<height {
            let start = ((y + top) * newWidth + left) * channels
            let row = y * width * channels..<(y + 1) * width * channels
            framed.replaceSubrange(start..<start + row.count, with: bytes[row])
        }
        return Raster(width: newWidth, height: newHeight, channels: channels, bytes: framed)
    }
}
