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

export class VmMemory {
  readonly #exports: Exports;
  readonly #copied: number;
  readonly #length: number;
  readonly #tableLength: number;
  readonly #restore: (memory: Uint8Array) => void;

  private constructor(exports: Exports) {
    const used = exports.memory.buffer.byteLength;
    exports.__wbindgen_free(exports.__wbindgen_malloc(ROOM_BYTES, ALIGNMENT), ROOM_BYTES, ALIGNMENT);
    this.#exports = exports;
    this.#length = exports.memory.buffer.byteLength;
    this.#tableLength = exports.__wbindgen_externrefs.length;
    const memory = new Uint8Array(exports.memory.buffer, 0, used);
    this.#copied = used;
    this.#restore = copyToFile(memory) ?? copyInMemory(memory);
  }

  /** Takes a snapshot of the current memory; undefined if the package has no such instance (any more). */
  static copy(): VmMemory | undefined {
    const { memory, __wbindgen_externrefs, __wbindgen_malloc, __wbindgen_free } = caught ?? {};
    if (!memory || !__wbindgen_externrefs || !__wbindgen_malloc || !__wbindgen_free) return undefined;
    return new VmMemory({ memory, __wbindgen_externrefs, __wbindgen_malloc, __wbindgen_free });
  }

  restore(): void {
    this.#restore(new Uint8Array(this.#exports.memory.buffer, 0, this.#copied));
  }

  /** True if it can be restored again: neither the memory nor the table with its free list has grown. */
  get isSound(): boolean {
    const { memory, __wbindgen_externrefs } = this.#exports;
    return memory.buffer.byteLength === this.#length && __wbindgen_externrefs.length === this.#tableLength;
  }
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
