import ThumbwheelCore
import ThumbwheelFormats

/// A function that finds a resource provider by its identifier; nil if no provider has this identifier. The program
/// that uses this library supplies the function.
typealias ProviderResolver = @Sendable (_ identifier: String) -> (any ResourceProvider)?

extension BlockWriter {
    mutating func write(_ details: RowDetails) {
        write(optional: details.resources) { writer, resources in
            writer.write(each: resources) { $0.write($1) }
        }
        write(optional: details.head) { $0.write($1) }
        write(optional: details.adjustment) { writer, adjustment in
            writer.write(adjustment.formatIdentifier)
            writer.write(adjustment.formatVersion)
            writer.write(adjustment.originalHead)
            writer.write(Int64(adjustment.originalFileSize))
        }
    }

    private mutating func write(_ resource: AssetResource) {
        write(resource.type.rawValue)
        write(optional: resource.facts?.originalFilename) { $0.write($1) }
        write(optional: resource.facts?.contentType?.rawValue) { $0.write($1) }
        switch resource.source {
        case .file(let path):
            write(UInt8(0))
            write(path)
        case .bytes(let bytes):
            write(UInt8(1))
            write(bytes)
        case .provider(let provider):
            write(UInt8(2))
            write(provider.identifier)
            write(provider.requiresNetwork)
        }
    }
}

extension BlockReader {
    mutating func readRowDetails(_ resolve: ProviderResolver) throws(LibraryFileError) -> RowDetails {
        RowDetails(
            resources: try readOptional { reader throws(LibraryFileError) in
                try reader.readEach(ofAtLeast: 10) { reader throws(LibraryFileError) in
                    try reader.readResource(resolve)
                }
            },
            head: try readOptional { reader throws(LibraryFileError) in try reader.readImageHead() },
            adjustment: try readOptional { reader throws(LibraryFileError) in
                AssetFacts.Adjustment(
                    formatIdentifier: try reader.readText(), formatVersion: try reader.readText(),
                    originalHead: try reader.readImageHead(),
                    originalFileSize: ImageHead.bounded(try reader.readInt(), to: ImageHead.byteCountLimit))
            })
    }

    private mutating func readResource(_ resolve: ProviderResolver) throws(LibraryFileError) -> AssetResource {
        let number = try read(UInt8.self)
        guard let kind = AssetResourceType(rawValue: number) else {
            throw .malformed(reason: "there is no kind of resource \(number)")
        }
        // Files of versions before 5 do not state the names and types of resources.
        let name = version < 5 ? nil : try readOptional { reader throws(LibraryFileError) in try reader.readText() }
        let type = version < 5 ? nil : try readOptional { reader throws(LibraryFileError) in try reader.readText() }
        return AssetResource(
            type: kind, source: try readSource(resolve), originalFilename: name,
            contentType: type.map(ContentType.init(rawValue:)))
    }

    private mutating func readSource(
        _ resolve: ProviderResolver
    ) throws(LibraryFileError) -> AssetResource.Source {
        let source = try read(UInt8.self)
        switch source {
        case 0: return .file(path: try readText())
        case 1: return .bytes(try readArray(of: UInt8.self))
        case 2:
            let (identifier, requiresNetwork) = (try readText(), try readBool())
            let provider =
                resolve(identifier) ?? UnresolvedProvider(identifier: identifier, requiresNetwork: requiresNetwork)
            return .provider(provider)
        default: throw .malformed(reason: "there is no source of resources \(source)")
        }
    }
}
