/// A comparison of two terms that are calculated from columns.
///
/// Numbers are compared as doubles, so whole numbers are exact up to 2^53. An absent number, which is stored as a NaN,
/// satisfies no comparison.
struct NumberTest: RowTest {
    let left: NumberTerm
    let relation: Relation
    let right: NumberTerm

    func refine(_ mask: inout RowMask, in chunk: Chunk) {
        let (left, right) = (left.values(in: chunk), right.values(in: chunk))
        let relation = relation
        var found = RowMask.none
        mask.forEachSlot { slot in
            let (one, other) = (left[slot], right[slot])
            // `!=` is true for a NaN, but must be false for an absent number.
            if !AbsentNumber.isAbsent(one), !AbsentNumber.isAbsent(other), relation.holds(one, other) {
                found.insert(slot)
            }
        }
        mask = found
    }
}
