/// A picture in an answer that has several: its place in the list that the address names (1 byte), the number of its bytes (3 bytes,
/// little-endian), and the bytes of a JPEG file. Records come in any order.
enum PreviewRecord {
    /// Returns the record of a response; no bytes for one that is no picture.
    static func bytes(_ index: Int, _ response: ServiceResponse) -> [UInt8] {
        guard response.status == 200, case .bytes(let picture) = response.body, picture.count < 1 << 24 else {
            return []
        }
        let count = UInt32(picture.count)
        return [UInt8(index), UInt8(count & 255), UInt8(count >> 8 & 255), UInt8(count >> 16)] + picture
    }
}
