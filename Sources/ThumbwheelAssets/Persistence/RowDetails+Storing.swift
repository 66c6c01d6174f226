import ThumbwheelFormats

/// A function that returns the host's provider for an identifier, or nil if the host has none.
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
        write(resource.kind.rawValue)
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
        guard let kind = AssetResource.Kind(rawValue: number) else {
            throw .malformed(reason: "there is no kind of resource \(number)")
        }
        let source = try read(UInt8.self)
        switch source {
        case 0: return AssetResource(kind: kind, source: .file(path: try readText()))
        case 1: return AssetResource(kind: kind, source: .bytes(try readArray(of: UInt8.self)))
        case 2:
            let (identifier, requiresNetwork) = (try readText(), try readBool())
            let provider =
                resolve(identifier) ?? UnresolvedProvider(identifier: identifier, requiresNetwork: requiresNetwork)
            return AssetResource(kind: kind, source: .provider(provider))
        default: throw .malformed(reason: "there is no source of resources \(source)")
        }
    }
}
