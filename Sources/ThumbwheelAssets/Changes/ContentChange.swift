/// A change of an asset's picture that an edit asks for.
indirect enum ContentChange: Sendable {
    case output(ContentEditingOutput)
    case revert
}

extension AssetEdits {
    /// The outcome of an edit of the picture, which the transaction commits; nil leaves the picture as it is.
    public var contentEditingOutput: ContentEditingOutput? {
        get { if case .output(let output) = contentChange { output } else { nil } }
        set { contentChange = newValue.map { .output($0) } }
    }

    /// Makes the asset show its original again. An output that is set later takes the place of this request.
    public mutating func revertAssetContentToOriginal() {
        contentChange = .revert
    }
}

extension LibraryTransaction {
    func make(_ change: ContentChange, of identifier: AssetIdentifier, _ row: UInt32) throws(ChangeError) {
        switch change {
        case .revert: try revert(row, identifier)
        case .output(let output):
            guard let recipe = output.adjustmentData, let rendering = output.rendering,
                output.asset == identifier
            else { throw ChangeError(.invalidContentEditingOutput(identifier)) }
            try adjust(row, identifier, rendering: rendering, recipe, base: output.base)
        }
    }
}
