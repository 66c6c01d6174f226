import Foundation
import Thumbwheel
import ThumbwheelReplay

extension InspectDocument {
    /// The facts about the taking of a photograph, and the files that belong to it.
    struct Facts: Encodable {
        struct Place: Encodable {
            let latitude, longitude: Double
            @Nullable var altitude: Double?
        }

        struct Direction: Encodable {
            let degrees: Double
            let magnetic: Bool
        }

        struct Kind: Encodable {
            let kind, fact: String
        }

        struct Companion: Encodable {
            let kind, file: String
        }

        /// When the photograph was taken, and the source of that date.
        @Nullable var created: String?
        @Nullable var dateSource: String?
        @Nullable var place: Place?
        @Nullable var heading: Direction?
        /// The kinds of the photograph, each with the fact that shows it.
        let kinds: [Kind]
        @Nullable var burst: String?
        let representsBurst: Bool
        /// The identifier that the two files of a Live Photo share.
        @Nullable var livePhoto: String?
        let companions: [Companion]

        /// - Parameter asset: an asset that was imported from a file.
        init(_ asset: Asset) {
            let main = asset.resources.first { $0.type == (asset.isVideo ? .video : .photo) }
            let facts = main.flatMap { main in
                try? asset.isVideo
                    ? PhotographFacts(readingVideo: main.open(), filename: asset.originalFilename)
                    : PhotographFacts(reading: main.open(), filename: asset.originalFilename)
            }
            created = asset.creationDate?.formatted(.iso8601)
            dateSource = asset.creationDate.map { _ in (facts?.dateSource ?? .file).rawValue }
            place = asset.location.map {
                Place(latitude: $0.latitude, longitude: $0.longitude, altitude: $0.altitude)
            }
            heading = facts?.heading.map { Direction(degrees: $0.degrees, magnetic: $0.isMagnetic) }
            kinds = PictureKind.allCases.compactMap { kind in
                facts?.kinds[kind].map { Kind(kind: kind.rawValue, fact: $0) }
            }
            burst = asset.burstIdentifier
            representsBurst = asset.representsBurst
            livePhoto = facts?.contentIdentifier
            companions = asset.resources.filter { $0 != main }.compactMap { resource in
                resource.filePath.map {
                    Companion(kind: "\(resource.type)", file: URL(filePath: $0).lastPathComponent)
                }
            }
        }

        /// The facts as names and values, for people.
        var lines: [(name: String, value: String)] {
            var lines: [(String, String)] = []
            if let created, let dateSource { lines.append(("created", "\(created), by \(dateSource)")) }
            if let place {
                let altitude = place.altitude.map { ", \($0) m" } ?? ""
                lines.append(("place", "\(place.latitude), \(place.longitude)\(altitude)"))
            }
            if let heading {
                lines.append(("heading", "\(Heading(degrees: heading.degrees, isMagnetic: heading.magnetic))"))
            }
            for kind in kinds { lines.append(("kind", "\(kind.kind), by \(kind.fact)")) }
            if let burst { lines.append(("burst", burst + (representsBurst ? ", represents it" : ""))) }
            if let livePhoto { lines.append(("live photo", livePhoto)) }
            for companion in companions { lines.append((companion.kind, companion.file)) }
            return lines
        }
    }
}
