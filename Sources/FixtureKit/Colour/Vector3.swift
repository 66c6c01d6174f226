/// Three numbers: a colour in linear RGB or in XYZ.
struct Vector3 {
    var x: Double
    var y: Double
    var z: Double
}
