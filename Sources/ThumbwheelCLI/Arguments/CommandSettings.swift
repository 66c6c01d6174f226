/// The values of a command's options; a new value has the defaults.
protocol CommandSettings {
    init()
}
