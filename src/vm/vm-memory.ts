// Keeps a copy of the VM's memory, to put it back: a fresh session in milliseconds, where initialising one takes 200.
// To be imported before the VM's package is, since it watches for the WebAssembly instance that the package makes.

interface Exports {
  readonly memory?: { readonly buffer: ArrayBuffer };
  /** Objects of JavaScript that the VM holds. */
  readonly __wbindgen_externrefs?: { readonly length: number };
}

type InstanceConstructor = new (...args: unknown[]) => { readonly exports: Exports };

/** Memory never shrinks, and what it has grown by since the copy is lost. A thread that lost so much is replaced. */
const MAX_LOST_BYTES = 300_000_000;

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
  readonly #copy: Uint8Array;
  readonly #exports: Required<Exports>;
  readonly #tableLength: number;

  private constructor(exports: Required<Exports>) {
    this.#exports = exports;
    this.#copy = new Uint8Array(exports.memory.buffer).slice();
    this.#tableLength = exports.__wbindgen_externrefs.length;
  }

  /** A copy of the memory as it is now; undefined if the package has no such instance (any more). */
  static copy(): VmMemory | undefined {
    const { memory, __wbindgen_externrefs } = caught ?? {};
    if (memory === undefined || __wbindgen_externrefs === undefined) return undefined;
    return new VmMemory({ memory, __wbindgen_externrefs });
  }

  /** Puts the memory back to what it was. */
  restore(): void {
    new Uint8Array(this.#exports.memory.buffer).set(this.#copy);
  }

  /** Whether it can be put back again: it has not grown by much, and the table whose free list is in it not at all. */
  get isSound(): boolean {
    const lost = this.#exports.memory.buffer.byteLength - this.#copy.length;
    return lost <= MAX_LOST_BYTES && this.#exports.__wbindgen_externrefs.length === this.#tableLength;
  }
}
