import ThumbwheelCore
import ThumbwheelFormats

/// The exporter of videos that the host (the program that uses this library) has installed, if any. Without one, no
/// video is exported.
package enum VideoExporters {
    /// One export: the video, the file to write, the settings, and functions that report progress and stop the export.
    package struct Job {
        package let bytes: any ByteSource
        package let head: VideoHead
        package let output: any VideoExportOutput
        package let settings: VideoExportSettings
        package let limits: RenderLimits
        /// The number of threads that decode, and of those that encode. Each holds frames of its own.
        package let threadCount: Int
        /// Called with the fraction of the export that is done, from 0 to 1, on the thread of the export.
        package let progress: (Double) -> Void
        /// Returns the error with which the export must stop now; nil while it may continue. It is called whenever the
        /// exporter reads or writes, and before each packet or frame.
        package let interruption: () -> RenderError?

        package init(
            bytes: any ByteSource, head: VideoHead, output: any VideoExportOutput, settings: VideoExportSettings,
            limits: RenderLimits, threadCount: Int, progress: @escaping (Double) -> Void,
            interruption: @escaping () -> RenderError?
        ) {
            self.bytes = bytes
            self.head = head
            self.output = output
            self.settings = settings
            self.limits = limits
            self.threadCount = threadCount
            self.progress = progress
            self.interruption = interruption
        }
    }

    /// Carries out an export, on the calling thread.
    package typealias Exporter = @Sendable (Job) throws(VideoExportFailure) -> VideoExportReport

    private static let installed = InstalledDecoder<Exporter>()

    /// Installs an exporter. An exporter that is installed already is not replaced.
    package static func install(_ exporter: @escaping Exporter) { installed.install(exporter) }

    /// Whether a host has installed an exporter. If not, requests for export sessions fail.
    package static var isInstalled: Bool { installed.isInstalled }

    package static func export(_ job: Job) throws(VideoExportFailure) -> VideoExportReport {
        guard let exporter = installed.maker else { throw .unsupported(reason: "no exporter is installed") }
        return try exporter(job)
    }
}
