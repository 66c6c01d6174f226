import Foundation
import Thumbwheel
import ThumbwheelGrid

/// The article on grids.
enum GridSamples {
    static func supply(
        _ manager: ImageManager, _ layout: GridLayout, _ library: PhotoLibrary, size: PixelSize, offset: Double,
        show: @escaping @Sendable (Int, Bitmap) -> Void
    ) -> ScrollPreheater {
        // begin preheater
        let preheater = ScrollPreheater(
            manager: CachingImageManager(manager), layout: layout, assets: library.fetchAssets(), targetSize: size
        ) { item, result in
            if let bitmap = result.bitmap { show(item, bitmap) }
        }
        preheater.viewportMoved(to: offset)  // in about 0.1 ms: what the cache has is delivered, the rest asked for
        // end
        return preheater
    }

    static func follow(_ change: LibraryChange, _ assets: FetchResult<Asset>, with preheater: ScrollPreheater) {
        // begin grid changes
        if let details = change.changeDetails(for: assets) {
            preheater.update(with: details)  // what stays keeps its requests
        }
        // end
    }

    static func justify(
        _ assets: FetchResult<Asset>, _ caching: CachingImageManager, viewport: PixelSize,
        show: @escaping @Sendable (Int, Bitmap) -> Void
    ) -> ScrollPreheater {
        // begin justified
        let layout = JustifiedLayout(
            assets, targetLength: 300, spacing: LayoutSize(width: 4, height: 4), viewport: viewport)
        let preheater = ScrollPreheater(manager: caching, layout: layout, assets: assets) { item, result in
            if let bitmap = result.bitmap { show(item, bitmap) }
        }
        // end
        return preheater
    }

    static func follow(
        _ change: LibraryChange, _ assets: FetchResult<Asset>, _ layout: inout JustifiedLayout,
        with preheater: ScrollPreheater
    ) {
        // begin justified changes
        if let details = change.changeDetails(for: assets) {
            layout.update(with: details)
            preheater.update(with: details, layout: layout)
        }
        // end
    }

    static func section(_ change: LibraryChange, _ assets: FetchResult<Asset>, viewport: PixelSize) -> any ScrollLayout
    {
        // begin sections
        let calendar = Calendar.current
        func day(of asset: Asset) -> Date? { asset.creationDate.map { calendar.startOfDay(for: $0) } }
        var layout = SectionedLayout(assets, headerLength: 40, viewport: viewport, by: day) {
            JustifiedLayout($0, targetLength: 300, viewport: viewport)
        }
        if let details = change.changeDetails(for: assets) {
            layout.update(with: details, by: day) { JustifiedLayout($0, targetLength: 300, viewport: viewport) }
        }
        // end
        return layout
    }

    static func preheat(
        _ assets: FetchResult<Asset>, _ layout: any ScrollLayout, _ caching: CachingImageManager, size: PixelSize,
        offset: Double
    ) {
        // begin rectangle
        var rectangle = PreheatRectangle()
        if let (added, removed) = rectangle.move(to: offset, in: layout) {
            caching.startCachingImages(for: added.map { assets[$0] }, targetSize: size, contentMode: .aspectFill)
            caching.stopCachingImages(for: removed.map { assets[$0] }, targetSize: size, contentMode: .aspectFill)
        }
        // end
    }

    static func enter(_ album: AssetCollection, of library: PhotoLibrary, with preheater: ScrollPreheater) {
        // begin album
        preheater.show(library.fetchAssets(in: album), offset: 0)
        // end
    }

    static func plan(_ manager: ImageManager, _ assets: FetchResult<Asset>, size: PixelSize) {
        // begin caching manager
        let caching = CachingImageManager(manager)
        caching.startCachingImages(for: assets.prefix(100), targetSize: size, contentMode: .aspectFill)
        print(caching.window.readyCount, "of", caching.window.imageCount)
        caching.stopCachingImagesForAllAssets()
        // end
    }

    static func planner() -> ScrollPlanner {
        // begin planner
        let planner = ScrollPlanner(
            parameters: ScrollPlanner.Parameters {
                $0.screensAhead = 4
                $0.screensBehind = 1
            })
        // end
        return planner
    }
}
