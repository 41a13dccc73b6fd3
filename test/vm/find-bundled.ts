// Finds the contracts that the VM's package brings along, by asking it for all names in its text. Posts their sources.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parentPort } from 'node:worker_threads';
import { BOOT_ADDRESSES } from '#model/principal.ts';
import { Session } from '#vm/session.ts';

const session = await Session.load();
await session.reset();
const require = createRequire(import.meta.resolve('@stacks/clarinet-sdk'));
const text = readFileSync(require.resolve('@stacks/clarinet-sdk-wasm/clarinet_sdk_bg.wasm')).toString('latin1');
const addresses = new Set([...BOOT_ADDRESSES, ...(text.match(/S[PMTN][0-9A-Z]{38,39}(?![0-9A-Z])/g) ?? [])]);
const names = new Set(text.match(/(?<![a-z0-9-])[a-z][a-z0-9-]{2,39}/g));
const bundled = new Map<string, string>();
for (const address of addresses)
  for (const name of names) {
    const sourceCode = sourceOf(`${address}.${name}`);
    // The session itself adds a contract with the chain data of each step.
    if (sourceCode !== undefined && !name.startsWith('stxpress-')) bundled.set(`${address}.${name}`, sourceCode);
  }
parentPort?.postMessage(bundled);

/** Returns undefined for an address with a wrong checksum too, at which the VM fails. */
function sourceOf(contractId: string): string | undefined {
  try {
    return session.sourceOf(contractId);
  } catch {
    return undefined;
  }
}
