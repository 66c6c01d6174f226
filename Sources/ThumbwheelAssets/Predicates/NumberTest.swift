/// A comparison of two values that are calculated from columns.
///
/// Numbers are compared as doubles, so whole numbers are exact up to 2^53. If one of the values is absent
/// (`AbsentNumber`), the result is false for every operator, even for `!=`. This differs from the comparison of a date
/// or another optional number with a constant, where `!=` is true if the property has no value.
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
            // An absent number is tested first, because it is stored as a NaN, and `!=` is true for every NaN.
            if !AbsentNumber.isAbsent(one), !AbsentNumber.isAbsent(other), relation.holds(one, other) {
                found.insert(slot)
            }
        }
        mask = found
    }
}
