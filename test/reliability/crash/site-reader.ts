// Reads served files again and again while a build is under way, as a web server would, and notes what no reader may
// see.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Random } from '../../support/random.ts';
import { judge, type SiteChange } from './site-state.ts';

const PATHS_PER_TURN = 12;
const PAUSE_MS = 4;

export class SiteReader {
  readonly problems = new Set<string>();
  readonly #folder: string;
  readonly #change: SiteChange;
  readonly #paths: readonly string[];
  readonly #changed: readonly string[];
  readonly #isNew = new Set<string>();
  #removedSeen: string | undefined;
  #stopped = false;
  #running: Promise<void> = Promise.resolve();

  constructor(folder: string, change: SiteChange) {
    this.#folder = folder;
    this.#change = change;
    this.#paths = [...new Set([...change.before.keys(), ...change.after.keys()])];
    this.#changed = this.#paths.filter((path) => change.before.get(path) !== change.after.get(path));
  }

  start(random: Random): void {
    this.#running = this.#run(random);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  async #run(random: Random): Promise<void> {
    if (this.#paths.length === 0) return;
    while (!this.#stopped) {
      for (let turn = 0; turn < PATHS_PER_TURN; turn++) {
        const changed = this.#changed.length > 0 && random.chance(0.8);
        this.#read(random.pick(changed ? this.#changed : this.#paths));
      }
      await setTimeout(PAUSE_MS);
    }
  }

  #read(path: string): void {
    // What was removed when the read began: of a later removal, this read says nothing.
    const removed = this.#removedSeen;
    let bytes: string | undefined;
    try {
      bytes = readFileSync(join(this.#folder, path), 'latin1');
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT') this.problems.add(`${path} cannot be read: ${code}`);
    }
    const seen = judge(this.#change, path, bytes);
    if (typeof seen === 'object') this.problems.add(`a reader saw: ${seen.problem}`);
    else if (seen === 'new') {
      this.#isNew.add(path);
      if (!this.#change.after.has(path)) this.#removedSeen ??= path;
    } else if (seen === 'old') {
      if (this.#isNew.has(path)) this.problems.add(`a reader saw: ${path} went back to what it was`);
      if (removed !== undefined && this.#change.after.has(path))
        this.problems.add(`a reader saw: ${removed} removed before ${path} was written`);
    }
  }
}
