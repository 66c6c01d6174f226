/// The task of looking a rendition up in a storage tier (a store outside memory).
package struct LookUpAssignment: Sendable {
    package let id: LookUpID
    package let key: RenditionKey
    package var work: RenderWork

    package var tier: StorageTier { id.tier }
}
