#!/bin/sh
# Packs this clone and installs the package in FOLDER/node_modules/stxpress, with locked versions of its dependencies and
# without development dependencies: scripts/install-package.sh FOLDER
set -eu
cd "$(dirname "$0")/.."
package="$1/node_modules/stxpress"
mkdir -p "$package"
npm pack --silent --pack-destination "$1" > /dev/null
tar -xzf "$1"/stxpress-*.tgz --strip-components=1 -C "$package"
rm "$1"/stxpress-*.tgz
cp package-lock.json "$package"
npm ci --omit=dev --prefer-offline --no-audit --no-fund --loglevel=error --prefix "$package"
