import Foundation

extension CostModel {
    private struct Document: Decodable {
        struct Settings: Decodable {
            struct Workload: Decodable {
                var delivery: String
            }

            var workload: Workload
        }

        struct Image: Decodable {
            var milliseconds: Double?
            var firstMilliseconds: Double?
        }

        var schema: String
        var settings: Settings
        var images: [Image]
    }

    /// Makes a model of the costs that `render` measured: one document for each delivery mode, of the same photographs in the
    /// same order.
    ///
    /// High-quality costs come from the document of delivery `high`, or else `opportunistic`. Costs of previews come from the
    /// first images of `opportunistic`. Fast costs come from `fast`, or else are half the high-quality ones. Photographs that
    /// failed are left out.
    public static func measured(documents: [Data]) throws(CostDocumentError) -> CostModel {
        var images: [String: [Document.Image]] = [:]
        for data in documents {
            guard let document = try? JSONDecoder().decode(Document.self, from: data) else {
                throw CostDocumentError(description: "not a thumbwheel.render/1 document")
            }
            guard document.schema == "thumbwheel.render/1" else {
                throw CostDocumentError(description: "a document of schema \(document.schema), not thumbwheel.render/1")
            }
            images[document.settings.workload.delivery] = document.images
        }
        guard let high = images["high"] ?? images["opportunistic"] else {
            throw CostDocumentError(description: "no document of delivery high or opportunistic")
        }
        guard images.values.allSatisfy({ $0.count == high.count }) else {
            throw CostDocumentError(description: "documents of different photographs")
        }
        let photographs = high.indices.compactMap { index -> Photograph? in
            guard let milliseconds = high[index].milliseconds, milliseconds.isFinite, milliseconds > 0 else {
                return nil
            }
            return Photograph(
                high: milliseconds, fast: images["fast"]?[index].milliseconds ?? milliseconds / 2,
                preview: images["opportunistic"]?[index].firstMilliseconds)
        }
        guard !photographs.isEmpty else { throw CostDocumentError(description: "no photograph with a time") }
        return measured(photographs)
    }
}
