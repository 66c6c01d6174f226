/// The change of an asset's picture that an edit requests.
indirect enum ContentChange: Sendable {
    case output(ContentEditingOutput)
    case revert
}

extension AssetEdits {
    /// The output of an edit, with the new picture that the transaction gives the asset. Nil if this edit gives the
    /// asset no new picture: its picture stays as it is or, after a call of `revertAssetContentToOriginal`, becomes the
    /// original again. Setting nil withdraws both requests.
    public var contentEditingOutput: ContentEditingOutput? {
        get { if case .output(let output) = contentChange { output } else { nil } }
        set { contentChange = newValue.map { .output($0) } }
    }

    /// Requests that the asset shows its original again. Setting `contentEditingOutput` afterwards replaces this
    /// request.
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
            try adjust(
                row, identifier, rendering: rendering, recipe, base: output.base, writingBytesTo: output.folder)
        }
    }
}
