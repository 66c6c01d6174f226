extension AssetKey {
    /// The column that stores the property; nil if the property is not stored. For example, `isVideo` is not stored; it
    /// is a comparison of `mediaType`.
    var column: KeyColumn? {
        switch self {
        case .localIdentifier: .identifiers
        case .creationDate: .numbers({ $0.creation }, absent: AbsentNumber.value)
        case .modificationDate: .numbers({ $0.modification }, absent: AbsentNumber.value)
        case .addedDate: .numbers({ $0.added }, absent: AbsentNumber.value)
        case .duration: .numbers({ $0.duration }, absent: 0)
        case .latitude: .numbers({ $0.latitude }, absent: AbsentNumber.value)
        case .longitude: .numbers({ $0.longitude }, absent: AbsentNumber.value)
        case .mediaType: .bytes { $0.mediaType }
        case .sourceType: .bytes { $0.sourceType }
        case .mediaSubtypes: .bits { $0.subtypes }
        case .pixelWidth: .int32s { $0.width }
        case .pixelHeight: .int32s { $0.height }
        case .fileSize: .int64s { $0.fileSize }
        case .contentVersion: .uint32s { $0.contentVersion }
        case .isFavorite: .flag(.favorite)
        case .isHidden: .flag(.hidden)
        case .representsBurst: .flag(.representsBurst)
        case .hasAdjustments: .flag(.adjusted)
        case .burstIdentifier: .texts { $0.bursts }
        case .originalFilename: .texts { $0.filenames }
        default: nil
        }
    }
}
