# Targets for musicians: demo, install, uninstall. Targets for contributors: test, lint, bench, sanitize, soak,
# gig, fuzz, end-together, manual, reference, pictures, docc.
PREFIX ?= /usr/local
LIBDIR ?= lib
PROGRAM = .build/release/stompline

.PHONY: build demo test test-pipewire bench quality examples clicks plugins install install-built uninstall program package dist check-packages release lint sanitize gig soak chaos end-together fuzz manual reference pictures docc clean

build:
	@scripts/setup.sh build
	@scripts/build/product.sh stompline

# Plays a shipped pipeline live on the running JACK server, or on a new one; writes demo.wav.
demo: build plugins
	@scripts/demo/demo.sh

# Runs all tests. The plugins are built first, because some tests compare them with the built-in
# effects.
test:
	@scripts/setup.sh test
	@[ -n "$(STOMPLINE_BUILT)" ] || swift build -c release --build-tests
	@scripts/build/plugins.sh
	@scripts/test.py

# Runs the tests that start a server on PipeWire instead of jackd; build the tests first.
test-pipewire:
	@scripts/setup.sh test
	@STOMPLINE_TEST_SERVER=pipewire scripts/test.py

# Measures costs relative to a bare loop over the same plugins, start-up time, memory and size.
bench: build
	@scripts/setup.sh test
	@scripts/build/product.sh bare-lv2-host
	@scripts/measure/bench.py

# Measures the purity of the pitch shift and the time stretch, and of Rubber Band and SoundTouch if
# they are installed.
quality: build
	@scripts/setup.sh quality
	@scripts/build/product.sh stretch-file
	@scripts/measure/quality.py
	@scripts/measure/octave-errors.py

# Makes a page of listening examples with spectrograms, also of installed peers: .build/examples/index.html.
examples: build
	@scripts/setup.sh quality
	@scripts/build/product.sh stretch-file
	@scripts/build/plugins.sh
	@scripts/measure/examples.py

# Measures how audible every kind of change is, compared with the crossfade law.
clicks:
	@scripts/setup.sh test
	@scripts/measure/clicks.sh --trials 4

# Builds the built-in effects as LV2 plugins for other hosts: plugins/stompline.lv2.
plugins:
	@scripts/setup.sh build
	@scripts/build/plugins.sh

# Installs the program, plugins, pipelines, manual pages, completions, guides as HTML, and files for the
# desktop and systemd below $(DESTDIR)$(PREFIX).
install: build plugins
	@scripts/setup.sh install
	@$(MAKE) --no-print-directory install-built

# For distributions: `make program install-built` builds and installs without installing any package. The
# source archive has the Swift packages inside, so that it needs no network.
ifneq ($(wildcard .packages),)
export STOMPLINE_PACKAGES = $(CURDIR)/.packages
endif
program:
	swift build -c release --product stompline
	scripts/build/plugins.sh

install-built:
	DESTDIR="$(DESTDIR)" PREFIX="$(PREFIX)" LIBDIR="$(LIBDIR)" PROGRAM=$(PROGRAM) scripts/package/install.sh install

uninstall:
	DESTDIR="$(DESTDIR)" PREFIX="$(PREFIX)" LIBDIR="$(LIBDIR)" scripts/package/install.sh uninstall

# Builds stompline_VERSION_ARCH.deb and stompline-lv2_VERSION_ARCH.deb in .build/packages.
package: build plugins
	@scripts/setup.sh package
	@PROGRAM=$(PROGRAM) scripts/package/deb.sh

# Makes the source archive .build/packages/stompline-VERSION.tar.gz, with the Swift packages inside.
dist:
	@scripts/setup.sh build
	@scripts/package/dist.sh

# Checks the packages with lintian and other tools, and tries them in an empty Debian 12.
check-packages: package dist
	@scripts/setup.sh release
	@scripts/check/packages.sh

# Checks, builds, signs and tags a release in .build/releases/VERSION: `make release VERSION=1.2.0 [KEY=…]`.
release:
	@KEY="$(KEY)" scripts/package/release.sh "$(VERSION)"

lint:
	swift format lint --strict --recursive Package.swift Sources Tests

# Runs the callback of every shipped pipeline under RealtimeSanitizer, on a real JACK server.
sanitize: build
	@scripts/setup.sh test
	@scripts/sanitize/sanitize.sh

# Plays pipelines/night.json for a minute with pedals, edits and accidents, and checks its sound.
gig:
	@scripts/setup.sh test
	@scripts/endurance/gig.sh

# Makes random changes on a JACK server for ten minutes; use SOAK_SECONDS=3600 before a release.
SOAK_SECONDS ?= 600
soak:
	@scripts/setup.sh test
	@scripts/endurance/soak.sh $(SOAK_SECONDS)

# Ends twenty instances together twenty times, by a signal and by a session manager.
end-together: build
	@scripts/endurance/end-together.py $(PROGRAM)
	@scripts/endurance/end-together.py $(PROGRAM) --session

# Makes everything around two instances fail for an hour; CHAOS_SECONDS=60 is a short run.
CHAOS_SECONDS ?= 3600
chaos:
	@scripts/setup.sh test
	@scripts/endurance/chaos.sh $(CHAOS_SECONDS)

# Fuzzes each parser and state machine for ten minutes; see docs/fuzzing.md.
fuzz:
	@scripts/fuzz/fuzz.sh 600

# Makes the manual as HTML: .build/manual/index.html.
manual:
	@scripts/setup.sh install
	@rm -rf .build/manual
	@/usr/bin/python3 scripts/package/guides.py .build/manual

# Writes the pages of docs/reference from the output of the program.
reference: build
	@scripts/build/reference.py $(PROGRAM)

# Makes all pictures of the documentation again.
pictures: build
	@scripts/setup.sh quality
	@scripts/build/product.sh stretch-file
	@scripts/build/pictures.py $(PROGRAM)

# Makes the pages of the source for contributors: .build/docc.
docc: build
	@scripts/build/docc.py

clean:
	swift package clean
	rm -f plugins/*.lv2/*.so demo.wav
