# `make bench` and `make test` do all their own set-up.

PHOTOS ?= Fixtures/library
# A tablet of 13 inches: 2064 pixels across in eight columns, 120 frames a second. On the command's own default grid, 4x8
# cells at 60 frames a second, two workers keep up with most scrolls, whatever the strategy.
SCREEN ?= --grid 8x11 --cell 258 --fps 120
REPLAY ?= --assets 5000 --scenario hard $(SCREEN) --strategy thumbwheel,requests-only,naive
TORTURE ?= Fixtures/library $(wildcard ../shared/formats ../shared/hostile ../shared/photos)
TARGET ?= exif
SECONDS ?= 60
HOURS ?= 1
SEED ?=
THUMBWHEEL = .build/release/thumbwheel

.PHONY: serve test-browser test-crowd test-mixed help setup fixtures build bench peers peers-formats peers-serve progressive test simulate simulate-faults soak soak-sanitized soak-faults lint format strict docs check-docs check-names check-imports torture isolation-storm memory \
	tsan fuzz store-kill baseline check-baseline perf-check gate-test clean

help:
	@echo "make bench [PHOTOS=folder]   replay flings on a tablet over photographs and write perf-reports/latest.*"
	@echo "make progressive [PHOTOS=folder]   lossless progressive copies of photographs, into .build/progressive"
	@echo "make serve [PHOTOS=folder]   a gallery of photographs at http://127.0.0.1:8080/"
	@echo "make test-browser            the gallery in a headless Chromium"
	@echo "make test-crowd              connections that come and go, slow readers and half-sent requests"
	@echo "make test-mixed [MINUTES=60] clients that do what people do: memory above the budget, renders for nobody"
	@echo "make test                    build and run all tests"
	@echo "make peers PHOTOS=folder     time and quality beside vips, Pillow and OpenCV: perf-reports/peers.md"
	@echo "make simulate [SEEDS=n] [FIRST=n] [INVARIANTS_EVERY=n] [DIGEST=1]   the pipeline through n random histories, from a seed on"
	@echo "make simulate-faults         plant faults in the pipeline, and see the simulation find them"
	@echo "make soak [HOURS=1] [SEED=n] a service's whole life, with a model that says what each user must see"
	@echo "make soak-sanitized [SECONDS=n] [SEED=n]   the same, smaller, under the address sanitizer"
	@echo "make store-kill [RUNS=n]      kill processes that write to a store on disk, and read what they leave"
	@echo "make soak-faults             plant faults in the library, and see the soak find them"
	@echo "make perf-check [BASE=revision] [ROUNDS=n]   is this checkout slower or larger than a revision?"
	@echo "make check-baseline | baseline   hold counts against perf-reports/baseline.json, or write it anew"
	@echo "make gate-test [RUNS=n]      does perf-check catch regressions, and no unchanged code?"
	@echo "make torture [TORTURE=folders]   damaged files through every entry point, also under the address sanitizer"
	@echo "make isolation-storm [COUNT=n] [STORM=folders]   hostile files through decoders, half of which crash"
	@echo "make peers-formats PHOTOS=folder   time and quality beside the peers in HEIC, AVIF, PNG, WebP, TIFF and GIF"
	@echo "make peers-serve PHOTOS=folder   thumbnails over HTTP beside nginx and thumbor"
	@echo "make memory                  what thumbnails of JPEGs of a hundred megapixels take in memory"
	@echo "make tsan                    the tests in which threads meet, under the thread sanitizer"
	@echo "make fuzz TARGET=exif|heif|heads|jpeg|bmp|png|webp|gif|tiff|heic|library|video|isolation|service SECONDS=n   libFuzzer on a reader"
	@echo "make lint | format           check, or mend, the formatting"
	@echo "make docs                    articles and reference, into .build/docs, with the toolchain alone"
	@echo "make check-docs              is every public declaration documented, does every comment point somewhere?"
	@echo "make check-names             does every type lie in a file of its name?"
	@echo "make check-imports           does every target declare the targets that its files import, and no others?"
	@echo "make strict                  build everything from nothing, without a warning"

setup:
	@Scripts/install-packages

fixtures: setup
	@swift run -c release --quiet FixtureTool Fixtures

build: setup
	swift build -c release --product thumbwheel

bench: build $(if $(filter Fixtures/library,$(PHOTOS)),fixtures)
	$(THUMBWHEEL) replay $(PHOTOS) $(REPLAY) --json perf-reports/latest.json --html perf-reports/latest.html
	@echo "Wrote perf-reports/latest.json and perf-reports/latest.html; open the second in a browser."

# Options of the command, as `thumbwheel help serve` shows them.
SERVE ?=

serve: build $(if $(filter Fixtures/library,$(PHOTOS)),fixtures)
	$(THUMBWHEEL) serve $(PHOTOS) $(SERVE)

test-browser: build fixtures
	@Scripts/test-browser

test-crowd: build fixtures
	@Scripts/test-crowd

MINUTES ?= 60

test-mixed: build fixtures
	@Scripts/test-mixed $(MINUTES)

# The peers are Python packages, pinned, in an environment of their own.
ROUNDS ?= 5

peers: build $(if $(filter Fixtures/library,$(PHOTOS)),fixtures)
	@Benchmarks/Peers/install
	.build/peers/python/bin/python Benchmarks/Peers/compare-peers.py $(PHOTOS) --rounds $(ROUNDS)

peers-serve: build $(if $(filter Fixtures/library,$(PHOTOS)),fixtures)
	@Benchmarks/serve-peers $(PHOTOS) $(ROUNDS)

# Copies of PHOTOS, all of one folder, in other formats; encoding takes a minute a photograph.
peers-formats: build
	@Benchmarks/Peers/install
	@swift run -c release --quiet FixtureTool --formats .build/formats $(wildcard $(PHOTOS)/*.jpg)
	.build/peers/python/bin/python Benchmarks/Peers/compare-formats.py .build/formats --rounds $(ROUNDS)
	.build/peers/python/bin/python Benchmarks/Peers/compare-format-quality.py .build/formats

# Lossless progressive copies of PHOTOS, to measure with.
PROGRESSIVE ?= .build/progressive

progressive: setup $(if $(filter Fixtures/library,$(PHOTOS)),fixtures)
	@Scripts/progressive-copies $(PHOTOS) $(PROGRESSIVE)

test: fixtures
	@Scripts/run-tests

# More histories than `make test` runs: make simulate SEEDS=1000000 FIRST=0. With DIGEST=1 the report ends with a digest of
# all actions, which a change of structure leaves as it was.
SEEDS ?= 100000
FIRST ?= 0
# The pipeline's own invariants are checked after every so many events; they take three quarters of the time.
INVARIANTS_EVERY ?= 1

simulate: setup
	@swift build -c release --product SimulationTool
	@.build/release/SimulationTool --seeds $(SEEDS) --first $(FIRST) --invariants-every $(INVARIANTS_EVERY) $(if $(DIGEST),--digest)

simulate-faults: setup
	@Scripts/simulate-faults

soak: setup
	@Scripts/soak --hours $(HOURS) $(if $(SEED),--seed $(SEED))

soak-sanitized: setup
	@Scripts/soak sanitized --seconds $(SECONDS) $(if $(SEED),--seed $(SEED))

soak-faults: setup
	@Scripts/soak-faults

store-kill: setup
	@Scripts/store-kill $(RUNS) $(SEED)

baseline: fixtures
	@Scripts/baseline

check-baseline: fixtures
	@Scripts/baseline --check

# make has one status for all failures; the script's own is 1 for a regression and 2 for what cannot be compared.
BASE ?= origin/main

perf-check: fixtures
	@Scripts/perf-check $(BASE)

RUNS ?= 20

gate-test: fixtures
	@Scripts/gate-test $(RUNS)

torture: fixtures
	@Scripts/torture $(TORTURE)

# Requests of a storm.
COUNT ?= 100000
STORM ?= Fixtures/library $(wildcard ../shared/formats ../shared/hostile)

isolation-storm: fixtures
	@Scripts/isolation-storm $(COUNT) $(STORM)

# JPEGs of a hundred megapixels are made on the way, and kept under .build.
memory: setup
	@Scripts/memory

tsan: setup
	@Scripts/tsan

fuzz: setup
	@Scripts/fuzz $(TARGET) $(SECONDS)

lint:
	swift format lint --strict --recursive --parallel Sources Tests Package.swift

format:
	swift format --in-place --recursive --parallel Sources Tests Package.swift

strict: setup
	@Scripts/build-without-warnings

docs: setup
	@Scripts/docs

check-docs: setup
	@Scripts/check-documentation

check-names:
	@Scripts/check-names

check-imports:
	@Scripts/check-imports

clean:
	rm -rf .build Fixtures/library Fixtures/damaged
