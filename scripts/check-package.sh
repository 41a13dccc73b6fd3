#!/bin/sh
# Packs this clone into FOLDER, and checks the package: its fields with publint, that it indexes and builds with the
# packages that its users get, and that they cannot import its modules: scripts/check-package.sh FOLDER
set -eu
mkdir -p "$1"
out=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
file="$out/$(npm pack --silent --pack-destination "$out" | tail -n 1)"
npx --yes publint@0.3.25 run "$file"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' > package.json
npm install --no-audit --no-fund "$file"
npx stxpress index --archive node_modules/stxpress/data/sample/chain.tsv --offline
npx stxpress build --hosts nginx,cloudflare
grep -q '"symbol":"PRESS"' dist/metadata/v1/tokenlist.json
if node --input-type=module -e 'import "stxpress/lib/cli/main.js"' 2> /dev/null; then
  echo 'lib/ can be imported. Restrict "exports" in package.json.' >&2
  exit 1
fi
