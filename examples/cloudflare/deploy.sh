#!/usr/bin/env bash
# Indexes mainnet, builds for Cloudflare Workers and deploys. Arguments go to the build.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

db=${STXPRESS_DB:-data/mainnet.sqlite}
api=${STXPRESS_API_URL:-https://api.hiro.so}
# What was read stays until it is read again: metadata and values that are older than this are.
age=${STXPRESS_MAX_AGE:-7d}

status=0
npm run --silent index -- --db "$db" --api-url "$api" --discover ft --max-age "$age" || status=$?
# 75: work is left, and the next run continues with it. What is there can be served.
if [ "$status" -ne 0 ] && [ "$status" -ne 75 ]; then exit "$status"; fi

npm run --silent build -- --db "$db" --host cloudflare "$@"

# --yes: cron has nobody to ask whether Wrangler may be installed.
npx --yes wrangler@4 deploy --config dist-hosts/cloudflare/wrangler.jsonc
