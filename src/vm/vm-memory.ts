// Saves and restores the VM's memory. Restoring takes milliseconds, and creating a session 200 ms. Must be imported
// before the VM.
import { mkdtempSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer };
  /** The table of JavaScript objects that the VM refers to. */
  readonly __wbindgen_externrefs: { readonly length: number };
  readonly __wbindgen_malloc: (bytes: number, alignment: number) => number;
  readonly __wbindgen_free: (address: number, bytes: number, alignment: number) => void;
}

type InstanceConstructor = new (...args: unknown[]) => { readonly exports: Partial<Exports> };

/**
 * The bytes of memory that are allocated before the snapshot. After a restore, the allocator does not know about memory
 * allocated later. Unused memory does not take space.
 */
const RESERVED_BYTES = 80_000_000;
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
// Without this line, JavaScript objects of earlier sessions would free VM memory when they are collected, long after it
// was restored.
global.FinalizationRegistry = undefined;

export type VmMemory = NonNullable<ReturnType<typeof copyMemory>>;

/**
 * Takes a snapshot of the VM's memory, and returns functions that use it. Undefined if the package does not export the
 * required functions.
 */
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
     * True if the snapshot can be restored again: the memory and the table, which has the free list, have not grown.
     */
    isSound: () => memory.buffer.byteLength === length && table.length === tableLength,
  };
}

/**
 * Copies the memory to an unnamed file, and returns a function that reads it back. Reading 80 MB from a file is as fast
 * as copying, and the file is not process memory. Undefined if temporary files cannot be written.
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
