#!/usr/bin/env bash
# Indexes mainnet, builds for nginx, checks the configuration and reloads it. Passes its arguments to the build.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

db=${STXPRESS_DB:-data/mainnet.sqlite}
api=${STXPRESS_API_URL:-https://api.hiro.so}
# Metadata and values older than this are read again.
age=${STXPRESS_MAX_AGE:-7d}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

status=0
npm run --silent index -- --db "$db" --api-url "$api" --discover ft --max-age "$age" || status=$?
# Status 75 means that work remains. The site can be built, and the next run continues.
if [ "$status" -ne 0 ] && [ "$status" -ne 75 ]; then exit "$status"; fi

npm run --silent build -- --db "$db" --hosts nginx "$@"

# If the configuration is invalid, the script stops here and nginx continues with its current configuration.
as_root nginx -t
as_root nginx -s reload
