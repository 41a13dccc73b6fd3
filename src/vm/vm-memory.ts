// Snapshots and restores the VM's memory: a fresh session in milliseconds, not 200. To be imported before the VM.
import { mkdtempSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer };
  /** JavaScript objects that the VM holds. */
  readonly __wbindgen_externrefs: { readonly length: number };
  readonly __wbindgen_malloc: (bytes: number, alignment: number) => number;
  readonly __wbindgen_free: (address: number, bytes: number, alignment: number) => void;
}

type InstanceConstructor = new (...args: unknown[]) => { readonly exports: Partial<Exports> };

/** A restored allocator does not know of later growth, so memory grows before. It costs nothing until written to. */
const ROOM_BYTES = 64_000_000;
const ALIGNMENT = 8;

const global = globalThis as unknown as {
  WebAssembly: { Instance: InstanceConstructor };
  FinalizationRegistry?: unknown;
};
let caught: Partial<Exports> | undefined;

global.WebAssembly.Instance = new Proxy(global.WebAssembly.Instance, {
  construct(target, args) {
    const instance = Reflect.construct(target, args) as InstanceType<InstanceConstructor>;
    caught = instance.exports;
    return instance;
  },
});
// The VM's wrappers would free their memory when they are collected, long after that memory was restored.
global.FinalizationRegistry = undefined;

export type VmMemory = NonNullable<ReturnType<typeof copyMemory>>;

/** Takes a snapshot of the current memory; undefined if the package has no such instance (any more). */
export function copyMemory() {
  const { memory, __wbindgen_externrefs: table, __wbindgen_malloc: malloc, __wbindgen_free: free } = caught ?? {};
  if (!memory || !table || !malloc || !free) return undefined;
  const used = memory.buffer.byteLength;
  free(malloc(ROOM_BYTES, ALIGNMENT), ROOM_BYTES, ALIGNMENT);
  const [length, tableLength] = [memory.buffer.byteLength, table.length];
  const copied = () => new Uint8Array(memory.buffer, 0, used);
  const restore = copyToFile(copied()) ?? copyInMemory(copied());
  return {
    restore: () => restore(copied()),
    /** True if it can be restored again: neither the memory nor the table with its free list has grown. */
    isSound: () => memory.buffer.byteLength === length && table.length === tableLength,
  };
}

/**
 * Copies to an unnamed file, which is removed with the thread: reading 80 MB takes no longer than copying it, and does
 * not count as process memory. Undefined if there is no room for temporary files.
 */
function copyToFile(memory: Uint8Array): ((memory: Uint8Array) => void) | undefined {
  try {
    const folder = mkdtempSync(join(tmpdir(), 'stxpress-vm-'));
    try {
      const file = openSync(join(folder, 'memory'), 'wx+', 0o600);
      writeFileSync(file, memory);
      return (to) => readWhole(file, to);
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

function readWhole(file: number, to: Uint8Array): void {
  for (let at = 0; at < to.length; ) {
    const read = readSync(file, to, at, to.length - at, at);
    if (read === 0) throw new Error('the copy of the memory of the Clarity VM is cut off');
    at += read;
  }
}
