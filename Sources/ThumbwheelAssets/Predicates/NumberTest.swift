/// A comparison of two values that are calculated from columns.
///
/// Numbers are compared as doubles, so whole numbers are exact up to 2^53. An absent number is stored as a NaN (not a
/// number). Every comparison with it is false.
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
            // With `!=`, a comparison with a NaN is true. An absent number is a NaN too, but all comparisons with it
            // must be false, so it is tested first.
            if !AbsentNumber.isAbsent(one), !AbsentNumber.isAbsent(other), relation.holds(one, other) {
                found.insert(slot)
            }
        }
        mask = found
    }
}
