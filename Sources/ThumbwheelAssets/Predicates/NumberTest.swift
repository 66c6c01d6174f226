/// A comparison of two terms that are calculated from columns.
///
/// Numbers are doubles here: whole numbers are exact up to 2^53, and an absent one, being a NaN, satisfies nothing.
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
            // `!=` holds of a NaN, but not of what is absent.
            if !AbsentNumber.isAbsent(one), !AbsentNumber.isAbsent(other), relation.holds(one, other) {
                found.insert(slot)
            }
        }
        mask = found
    }
}
