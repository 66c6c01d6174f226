import CMicroHTTPD
import ThumbwheelService

/// Reads the header fields of a request.
enum FieldReader {
    private final class Box {
        var fields = HTTPFields()
    }

    static func fields(of connection: OpaquePointer) -> HTTPFields {
        let box = Box()
        withExtendedLifetime(box) {
            tw_mhd_fields(
                connection,
                { context, _, name, value in
                    guard let context, let name else { return tw_mhd_yes() }
                    let box = Unmanaged<Box>.fromOpaque(context).takeUnretainedValue()
                    box.fields.add(String(cString: name), value.map { String(cString: $0) } ?? "")
                    return tw_mhd_yes()
                }, Unmanaged.passUnretained(box).toOpaque())
        }
        return box.fields
    }
}
