// Saves and restores the VM's memory, which provides a fresh session in milliseconds instead of 200 ms. Must be
// imported before the VM.
import { mkdtempSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer };
  /** References of the VM to JavaScript objects. */
  readonly __wbindgen_externrefs: { readonly length: number };
  readonly __wbindgen_malloc: (bytes: number, alignment: number) => number;
  readonly __wbindgen_free: (address: number, bytes: number, alignment: number) => void;
}

type InstanceConstructor = new (...args: unknown[]) => { readonly exports: Partial<Exports> };

/**
 * The memory reserved before the snapshot, since a restored allocator does not know about later growth. Unused memory
 * does not take space.
 */
const RESERVED_BYTES = 64_000_000;
const ALIGNMENT = 8;

const global = globalThis as unknown as {
  WebAssembly: { Instance: InstanceConstructor };
  FinalizationRegistry?: unknown;
};
let exported: Partial<Exports> | undefined;

global.WebAssembly.Instance = new Proxy(global.WebAssembly.Instance, {
  construct(target, args) {
    const instance = Reflect.construct(target, args) as InstanceType<InstanceConstructor>;
    exported = instance.exports;
    return instance;
  },
});
// Otherwise the VM's wrappers would free their memory when they are collected, long after it was restored.
global.FinalizationRegistry = undefined;

export type VmMemory = NonNullable<ReturnType<typeof copyMemory>>;

/** Takes a snapshot of the current memory. Returns undefined if the package does not export the required functions. */
export function copyMemory() {
  const { memory, __wbindgen_externrefs: table, __wbindgen_malloc: malloc, __wbindgen_free: free } = exported ?? {};
  if (!memory || !table || !malloc || !free) return undefined;
  const used = memory.buffer.byteLength;
  free(malloc(RESERVED_BYTES, ALIGNMENT), RESERVED_BYTES, ALIGNMENT);
  const [length, tableLength] = [memory.buffer.byteLength, table.length];
  const copied = () => new Uint8Array(memory.buffer, 0, used);
  const restore = copyToFile(copied()) ?? copyInMemory(copied());
  return {
    restore: () => restore(copied()),
    /**
     * True if the snapshot can be restored again: neither the memory nor the table, which contains its free list, has
     * grown.
     */
    isSound: () => memory.buffer.byteLength === length && table.length === tableLength,
  };
}

/**
 * Copies the memory to an unnamed file, which exists as long as the thread. Reading 80 MB is as fast as copying it, and
 * does not count as process memory. Returns undefined if temporary files cannot be written.
 */
function copyToFile(memory: Uint8Array): ((memory: Uint8Array) => void) | undefined {
  try {
    const folder = mkdtempSync(join(tmpdir(), 'stxpress-vm-'));
    try {
      const file = openSync(join(folder, 'memory'), 'wx+', 0o600);
      writeFileSync(file, memory);
      return (to) => readCompletely(file, to);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  } catch {
    return undefined;
  }
}

function copyInMemory(memory: Uint8Array): (memory: Uint8Array) => void {
  const copy = memory.slice();
  return (to) => to.set(copy);
}

function readCompletely(file: number, to: Uint8Array): void {
  for (let at = 0; at < to.length; ) {
    const read = readSync(file, to, at, to.length - at, at);
    if (read === 0) throw new Error("the copy of the Clarity VM's memory is truncated");
    at += read;
  }
}
