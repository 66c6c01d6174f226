# To be sourced. The debug build that `make strict` makes from nothing and whose tests `make tsan` runs: one build for both,
# because each takes minutes. It has the thread sanitizer, and fails on an import of a target that is not declared.
checked_scratch=.build/checked
checked_build=(
    -c debug --scratch-path "$checked_scratch" --sanitize=thread -Xswiftc -DTHUMBWHEEL_TSAN
    --explicit-target-dependency-import-check error
)
# The sanitizer wants the system's allocator, and mutexes that it knows.
export THUMBWHEEL_ALLOCATOR=system
