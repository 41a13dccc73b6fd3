// Keeps a copy of the VM's memory, to put it back: a fresh session in milliseconds, where initialising one takes 200.
// To be imported before the VM's package is, since it watches for the WebAssembly instance that the package makes.
import { mkdtempSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Exports {
  readonly memory?: { readonly buffer: ArrayBuffer };
  /** Objects of JavaScript that the VM holds. */
  readonly __wbindgen_externrefs?: { readonly length: number };
}

type InstanceConstructor = new (...args: unknown[]) => { readonly exports: Exports };

/** Memory never shrinks, and what it has grown by since the copy is lost. A thread that lost so much is replaced. */
const MAX_LOST_BYTES = 20_000_000;

const global = globalThis as unknown as {
  WebAssembly: { Instance: InstanceConstructor };
  FinalizationRegistry?: unknown;
};
let caught: Exports | undefined;

global.WebAssembly.Instance = new Proxy(global.WebAssembly.Instance, {
  construct(target, args) {
    const instance = Reflect.construct(target, args) as InstanceType<InstanceConstructor>;
    caught = instance.exports;
    return instance;
  },
});
// The VM's wrappers would free their memory when they are collected, long after that memory was put back.
global.FinalizationRegistry = undefined;

export class VmMemory {
  readonly #exports: Required<Exports>;
  readonly #length: number;
  readonly #tableLength: number;
  readonly #restore: (memory: Uint8Array) => void;

  private constructor(exports: Required<Exports>) {
    const memory = new Uint8Array(exports.memory.buffer);
    this.#exports = exports;
    this.#length = memory.length;
    this.#tableLength = exports.__wbindgen_externrefs.length;
    this.#restore = copyToFile(memory) ?? copyInMemory(memory);
  }

  /** A copy of the memory as it is now; undefined if the package has no such instance (any more). */
  static copy(): VmMemory | undefined {
    const { memory, __wbindgen_externrefs } = caught ?? {};
    if (memory === undefined || __wbindgen_externrefs === undefined) return undefined;
    return new VmMemory({ memory, __wbindgen_externrefs });
  }

  /** Puts the memory back to what it was. */
  restore(): void {
    this.#restore(new Uint8Array(this.#exports.memory.buffer, 0, this.#length));
  }

  /** Whether it can be put back again: it has not grown by much, and the table whose free list is in it not at all. */
  get isSound(): boolean {
    const lost = this.#exports.memory.buffer.byteLength - this.#length;
    return lost <= MAX_LOST_BYTES && this.#exports.__wbindgen_externrefs.length === this.#tableLength;
  }
}

/**
 * In a file without a name, which goes when the thread does: reading the 80 MB takes no longer than copying them, and
 * they are no memory of the process. Undefined where there is no room for temporary files.
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
