import Thumbwheel
import ThumbwheelReplay

/// Finds out which photographs can be rendered, before a replay depends on them.
///
/// A cell of a photograph that is damaged stays blank whatever a strategy does, and would hide what it does. So those that
/// the scroll will come to are rendered once and the damaged ones left out, by name and reason. What that leaves in the
/// system's file cache is the same for all strategies.
struct PhotographCheck {
    let settings: ReplaySettings
    let names: GivenPaths

    /// The photographs that can be rendered, in their order; those that come after the first `reach` are not looked at.
    func usable(_ photographs: [Asset], reach: Int, progress: ProgressLine) async -> [Asset] {
        let manager = ImageManager(
            configuration: ImageManager.Configuration {
                $0.workerCount = settings.workerCount
                $0.usesEmbeddedPreviews = false
                $0.keepsRenditions = false
                $0.isolation = settings.isolation
                $0.decoderPath = settings.decoderPath
            }, recordsRenders: false)
        var usable: [Asset] = []
        var rest = photographs[...]
        while usable.count < reach, !rest.isEmpty {
            // As many at once as keep the workers busy.
            let batch = rest.prefix(4 * settings.workerCount)
            rest = rest.dropFirst(batch.count)
            let errors = await withTaskGroup(of: (Int, ImageRequestError?).self) { group in
                for (index, asset) in zip(batch.indices, batch) {
                    group.addTask { (index, await error(of: asset, by: manager)) }
                }
                return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
            for (index, asset) in zip(batch.indices, batch) {
                if let error = errors[index] {
                    report("\(names.text(of: asset)): left out, \(error.name): \(error.description)")
                } else {
                    usable.append(asset)
                }
            }
            progress.show("checking photographs: \(usable.count)")
        }
        progress.clear()
        return usable + rest
    }

    private func error(of asset: Asset, by manager: ImageManager) async -> ImageRequestError? {
        do throws(ImageRequestError) {
            _ = try await manager.image(
                for: asset, targetSize: settings.targetSize, contentMode: .aspectFill,
                options: ImageRequestOptions {
                    $0.deliveryMode = settings.deliveryMode
                    $0.resizeMode = .exact
                })
            return nil
        } catch {
            return error
        }
    }
}
