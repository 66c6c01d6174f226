print("thumbwheel")
