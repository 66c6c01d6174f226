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
            // A comparison by `!=` is true for every NaN. An absent number is a NaN too, but must satisfy no
            // comparison, so it is tested first.
            if !AbsentNumber.isAbsent(one), !AbsentNumber.isAbsent(other), relation.holds(one, other) {
                found.insert(slot)
            }
        }
        mask = found
    }
}
