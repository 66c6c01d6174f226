extension BlockTransform {
    /// Transforms eight blocks to 8×8 samples each, which is full size. The arithmetic is that of libjpeg's accurate
    /// integer transform: the algorithm of Loeffler, Ligtenberg and Moschytz, with constants of 13 fractional bits.
    func transform8(_ source: UnsafeRawPointer, _ stride: Int, _ target: UnsafeMutableRawPointer, _ pitch: Int) {
        for column in 0..<8 {
            @inline(__always) func value(_ row: Int) -> Eight { coefficient(row &* 8 &+ column, source, stride) }
            let outputs = transformed(
                value(0), value(1), value(2), value(3), value(4), value(5), value(6), value(7), shift: 11)
            @inline(__always) func store(_ value: Eight, _ row: Int) { workspace[row &* 8 &+ column] = value }
            store(outputs.0, 0)
            store(outputs.1, 1)
            store(outputs.2, 2)
            store(outputs.3, 3)
            store(outputs.4, 4)
            store(outputs.5, 5)
            store(outputs.6, 6)
            store(outputs.7, 7)
        }
        for row in 0..<8 {
            let line = workspace + row &* 8
            let outputs = transformed(line[0], line[1], line[2], line[3], line[4], line[5], line[6], line[7], shift: 18)
            store(
                whole(outputs.0), whole(outputs.1), whole(outputs.2), whole(outputs.3), whole(outputs.4),
                whole(outputs.5), whole(outputs.6), whole(outputs.7), target + row &* pitch)
        }
    }

    /// Limits whole-number samples to the range from -128 to 127, and converts them to `PlaneSample`, which has
    /// fractional bits.
    @inline(__always)
    private func whole(_ value: Eight) -> Eight {
        let centred = value &+ 128
        let positive = centred & ~(centred &>> 15)
        return (((positive | ((255 &- positive) &>> 15)) & 255) &- 128) &<< PlaneSample.binaryPlaces
    }

    private typealias Wide = SIMD8<Int32>

    @inline(__always)
    private func transformed(
        _ f0: Eight, _ f1: Eight, _ f2: Eight, _ f3: Eight, _ f4: Eight, _ f5: Eight, _ f6: Eight, _ f7: Eight,
        shift: Int32
    ) -> (Eight, Eight, Eight, Eight, Eight, Eight, Eight, Eight) {
        /// Multiplies eight 16-bit numbers by a constant. The products have 32 bits, so no bit is lost. This takes four
        /// instructions.
        @inline(__always) func product(_ value: Eight, _ constant: Int32) -> Wide {
            lanes(value, as: Int32.self) &* Wide(repeating: constant)
        }
        let rounding = Wide(repeating: 1 &<< (shift &- 1))
        let middle = product(f2 &+ f6, 4433)
        let even2 = middle &- product(f6, 15137)
        let even3 = middle &+ product(f2, 6270)
        let even0 = lanes(f0 &+ f4, as: Int32.self) &<< 13 &+ rounding
        let even1 = lanes(f0 &- f4, as: Int32.self) &<< 13 &+ rounding
        let (a0, a3) = (even0 &+ even3, even0 &- even3)
        let (a1, a2) = (even1 &+ even2, even1 &- even2)

        let sum73 = f7 &+ f3
        let sum51 = f5 &+ f1
        let all = product(sum73 &+ sum51, 9633)
        let z3 = all &- product(sum73, 16069)
        let z4 = all &- product(sum51, 3196)
        let z1 = product(f7 &+ f1, 7373)
        let z2 = product(f5 &+ f3, 20995)
        let b0 = product(f7, 2446) &- z1 &+ z3
        let b1 = product(f5, 16819) &- z2 &+ z4
        let b2 = product(f3, 25172) &- z2 &+ z3
        let b3 = product(f1, 12299) &- z1 &+ z4

        @inline(__always) func descaled(_ value: Wide) -> Eight {
            lanes(value &>> Wide(repeating: shift), as: Int16.self)
        }
        return (
            descaled(a0 &+ b3), descaled(a1 &+ b2), descaled(a2 &+ b1), descaled(a3 &+ b0), descaled(a3 &- b0),
            descaled(a2 &- b1), descaled(a1 &- b2), descaled(a0 &- b3)
        )
    }
}
