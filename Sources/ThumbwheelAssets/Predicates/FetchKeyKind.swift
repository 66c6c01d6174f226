enum FetchKeyKind: Sendable {
    case flag, integer, number, date, text, identifier
}
