import Foundation
import Thumbwheel
import ThumbwheelLocks

/// What an editor has made: a recipe, and the picture that the recipe gives, as a file at `renderedContentURL` or at the place that
/// `renderedContentURL(for:)` gives for its type.
public final class PHContentEditingOutput: NSObject, Sendable {
    private struct State {
        var output: ContentEditingOutput
        // The types whose files were asked for, the last one at the end.
        var types: [ContentType] = []
    }

    private let state: Mutex<State>
    private let folder = FileManager.default.temporaryDirectory
    private let name = "thumbwheel-\(UUID().uuidString)"

    /// The recipe.
    public var adjustmentData: PHAdjustmentData? {
        get { state.withLock { $0.output.adjustmentData }.map { PHAdjustmentData($0) } }
        set { state.withLock { $0.output.adjustmentData = newValue?.adjustmentData } }
    }

    /// Makes the output of an edit that began with an input.
    public init(contentEditingInput: PHContentEditingInput) {
        state = Mutex(State(output: ContentEditingOutput(contentEditingInput: contentEditingInput.input)))
    }

    /// Makes the output of an edit of an asset that the same block creates.
    ///
    /// - Precondition: the placeholder is one of an asset.
    public init(placeholderForCreatedAsset placeholder: PHObjectPlaceholder) {
        guard case .asset(let identifier) = placeholder.identity else {
            preconditionFailure("A placeholder of a collection has no picture to edit")
        }
        state = Mutex(
            State(output: ContentEditingOutput(placeholderForCreatedAsset: AssetPlaceholder(identifier: identifier))))
    }

    deinit {
        for type in Set(state.withLock { $0.types } + [defaultRenderedContentType]) {
            try? FileManager.default.removeItem(at: url(of: type))
        }
    }

    /// Where the editor writes the picture, in the folder for temporary files. When the edit is committed, the library
    /// writes the bytes to a file of its own, in `PHPhotoLibrary.originalsFolder`. The file of the editor goes with
    /// this object.
    public var renderedContentURL: URL { url(of: defaultRenderedContentType) }

    /// The type of a file at `renderedContentURL`: JPEG.
    public var defaultRenderedContentType: ContentType { .jpeg }

    /// The types that a rendered picture may have: those that the library reads, but for cameras' raw files.
    public var supportedRenderedContentTypes: [ContentType] { ContentType.known.filter { !$0.isRAW } }

    /// Where the editor writes a picture of a type. If files of several types are written, the one that was asked for last counts.
    ///
    /// - Throws: `PHPhotosError` with the number `changeNotSupported` for a type that is not among `supportedRenderedContentTypes`.
    public func renderedContentURL(for type: ContentType) throws -> URL {
        guard supportedRenderedContentTypes.contains(type) else { throw PHPhotosError(.changeNotSupported) }
        state.withLock { state in
            state.types.removeAll { $0 == type }
            state.types.append(type)
        }
        return url(of: type)
    }

    /// The output with the picture that the editor has written; without one if it has written none.
    var finished: ContentEditingOutput {
        var (output, types) = state.withLock { ($0.output, $0.types) }
        types.insert(defaultRenderedContentType, at: 0)
        if let data = types.reversed().lazy.compactMap({ [self] in try? Data(contentsOf: url(of: $0)) }).first {
            output.renderedContent = .bytes([UInt8](data))
        }
        return output
    }

    private func url(of type: ContentType) -> URL {
        let file = folder.appendingPathComponent(name)
        return type.filenameExtension.map { file.appendingPathExtension($0) } ?? file
    }
}
