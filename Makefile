# The targets a musician needs: demo, install. A contributor's: test, lint, bench, sanitize, soak, fuzz.
PREFIX ?= /usr/local
PROGRAM = .build/release/stompline

.PHONY: build demo test bench quality clicks plugins install lint sanitize soak fuzz clean

build:
	@scripts/setup.sh build
	swift build -c release --product stompline

# Plays a shipped pipeline live on a JACK server, its own where none runs; leaves demo.wav.
demo: build plugins
	@scripts/demo.sh

# Every test. The plugins come first: some tests compare them with the built-in effects.
test:
	@scripts/setup.sh test
	swift build -c release --build-tests
	@scripts/build-plugins.sh
	@scripts/test.py

# Costs beside a bare loop over the same plugin, start-up time, memory, size.
bench: build
	@scripts/setup.sh test
	swift build -c release --product bare-lv2-host
	@scripts/bench.py

# How clean the pitch shift and the time stretch are, beside Rubber Band and SoundTouch where they are installed.
quality: build
	@scripts/setup.sh quality
	swift build -c release --product stretch-file
	@scripts/quality.py
	@scripts/octave-errors.py

# What is heard of every kind of change, beside what the crossfade law allows.
clicks:
	@scripts/setup.sh test
	@scripts/clicks.sh --trials 4

# Our effects as LV2 plugins for other hosts: plugins/stompline.lv2.
plugins:
	@scripts/setup.sh build
	@scripts/build-plugins.sh

install: build plugins
	install -D -s -m 755 $(PROGRAM) $(DESTDIR)$(PREFIX)/bin/stompline
	install -d $(DESTDIR)$(PREFIX)/lib/lv2/stompline.lv2 $(DESTDIR)$(PREFIX)/share/stompline/pipelines
	install -m 644 plugins/stompline.lv2/* $(DESTDIR)$(PREFIX)/lib/lv2/stompline.lv2/
	install -m 644 pipelines/*.json $(DESTDIR)$(PREFIX)/share/stompline/pipelines/

lint:
	swift format lint --strict --recursive Package.swift Sources Tests

# The callback of every shipped pipeline under RealtimeSanitizer, on a real JACK server.
sanitize: build
	@scripts/setup.sh test
	@scripts/sanitize.sh

# Ten minutes of random changes on a JACK server; SOAK_SECONDS=3600 before a release.
SOAK_SECONDS ?= 600
soak:
	@scripts/setup.sh test
	@scripts/soak.sh $(SOAK_SECONDS)

# Ten minutes of random input for the pipeline decoder.
fuzz:
	@scripts/fuzz.sh 600

clean:
	swift package clean
	rm -f plugins/*.lv2/*.so demo.wav
