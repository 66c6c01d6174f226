import Thumbwheel

extension ImageManager {
    /// A manager that renders one image after another, keeps none, and delivers them on the worker's own thread.
    ///
    /// - Parameter renderer: renders the images, and notes the times at which it does.
    static func withOneWorker(_ renderer: any RenditionRenderer) -> ImageManager {
        ImageManager(
            configuration: ImageManager.Configuration {
                $0.workerCount = 1
                $0.memoryBudget = 1 << 30
                $0.keepsRenditions = false
                $0.executor = .inline
            }, renderer: renderer, recordsRenders: false)
    }
}
