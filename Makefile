# Drover. The targets that people use first: make run, make test. `make help` lists them all.
SHELL := /bin/bash
GO ?= go
PREFIX ?= /usr/local
DESTDIR ?=
ARGS ?=
TESTFLAGS ?=
BENCHFLAGS ?=
FUZZTIME ?= 10s
GOLANGCI := github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0

ID := io.github.drover.Drover
VERSION = $(shell build/version.sh)
LDFLAGS = -s -w -X drover/app/cli.Version=$(VERSION)
# The version comes from version.sh, so that a clone owned by someone else, or none at all, builds as well.
GOBUILD = $(GO) build -trimpath -buildvcs=false -ldflags "$(LDFLAGS)"
ICON_SIZES := 16 22 24 32 48 64 128 256 512

.DEFAULT_GOAL := build
.PHONY: help run test build cli bench lint fuzz install uninstall clean setup-build setup-test

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: setup-build ## build and open the window; make run ARGS="copy A B" runs a command
	@build/quietly.sh "building Drover (the first time compiles the window toolkit: some minutes)" bin/drover \
		$(GOBUILD) -o bin/drover .
	@bin/drover $(ARGS)

test: setup-test ## all tests, with the race detector
	$(GO) test -buildvcs=false -race -timeout 20m $(TESTFLAGS) ./...

build: setup-build cli ## bin/drover (window and commands) and bin/drover-cli (static, no display)
	CGO_ENABLED=1 $(GOBUILD) -o bin/drover .

cli: ## bin/drover-cli alone: needs neither a C compiler nor a display
	CGO_ENABLED=0 $(GOBUILD) -o bin/drover-cli ./app/headless

bench: cli ## speed against cp, rsync, tar, KIO and others; see BENCHMARKING.md
	CGO_ENABLED=0 $(GOBUILD) -o bin/drover-bench ./engine/bench
	@bin/drover-bench -bin bin/drover-cli $(BENCHFLAGS)

lint: ## golangci-lint with the rules of .golangci.yml, and the shell scripts
	$(GO) run $(GOLANGCI) run
	build/shell-lint.sh

fuzz: ## every fuzz target for FUZZTIME
	GO="$(GO)" build/fuzz.sh $(FUZZTIME)

setup-build:
	@GO="$(GO)" build/setup.sh build

setup-test:
	@GO="$(GO)" build/setup.sh build test

install: ## put the built programs under PREFIX (/usr/local), inside DESTDIR
	@test -x bin/drover && test -x bin/drover-cli || { echo "make install: run 'make build' first" >&2; exit 1; }
	install -d "$(DESTDIR)$(PREFIX)/bin"
	install -m 755 bin/drover bin/drover-cli "$(DESTDIR)$(PREFIX)/bin/"
	install -D -m 644 packaging/$(ID).desktop "$(DESTDIR)$(PREFIX)/share/applications/$(ID).desktop"
	install -D -m 644 packaging/$(ID).metainfo.xml "$(DESTDIR)$(PREFIX)/share/metainfo/$(ID).metainfo.xml"
	install -D -m 644 assets/icons/drover.svg "$(DESTDIR)$(PREFIX)/share/icons/hicolor/scalable/apps/$(ID).svg"
	@for s in $(ICON_SIZES); do \
		install -D -m 644 assets/icons/drover-$$s.png "$(DESTDIR)$(PREFIX)/share/icons/hicolor/$${s}x$${s}/apps/$(ID).png" || exit; \
	done
	install -D -m 644 LICENSE "$(DESTDIR)$(PREFIX)/share/doc/drover/copyright"
	@[ -n "$(DESTDIR)" ] || build/refresh-desktop.sh "$(PREFIX)"

uninstall: ## take away what install put there
	rm -f "$(DESTDIR)$(PREFIX)/bin/drover" "$(DESTDIR)$(PREFIX)/bin/drover-cli" \
		"$(DESTDIR)$(PREFIX)/share/applications/$(ID).desktop" \
		"$(DESTDIR)$(PREFIX)/share/metainfo/$(ID).metainfo.xml" \
		"$(DESTDIR)$(PREFIX)"/share/icons/hicolor/*/apps/$(ID).* \
		"$(DESTDIR)$(PREFIX)/share/doc/drover/copyright"
	-rmdir "$(DESTDIR)$(PREFIX)/share/doc/drover" 2>/dev/null
	@[ -n "$(DESTDIR)" ] || build/refresh-desktop.sh "$(PREFIX)"

clean: ## remove what was built
	rm -rf bin dist
