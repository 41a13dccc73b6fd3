// Renders what changed into the staging folder and plans what it replaces and removes; nothing that is served is touched.
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type FailureError, stop } from '#model/failure.ts';
import {
  findFolded,
  insertChanges,
  type RecordedChange,
  type RecordedFile,
  type RecordWriter,
  readFiles,
  readFilesOf,
} from '#store/build-record/build-record.ts';
import type { Output } from './open-output.ts';

/** All files of one entry of a route; none if it is not served. */
export interface RenderedEntry {
  readonly route: string;
  readonly key: string;
  readonly files: readonly { readonly path: string; readonly body: string | Uint8Array }[];
}

export interface StagedChanges {
  written: number;
  writtenBytes: number;
  unchanged: number;
  removed: number;
}

export interface StageOptions {
  readonly output: Output;
  readonly record: RecordWriter;
  /** Paths that are written even if the record has them as they are. */
  readonly damaged: ReadonlySet<string>;
  /** Whether {@link Stager.removeOthers} follows. */
  readonly removesOthers: boolean;
  /** Only plans, and writes no file. */
  readonly dryRun: boolean;
  readonly onEntries?: (count: number) => void;
}

/** Entries of one read of the record. */
const ENTRIES_PER_RUN = 500;

/** The caller drops the staging folder and the plan if anything is thrown. */
export class Stager {
  readonly staged: StagedChanges = { written: 0, writtenBytes: 0, unchanged: 0, removed: 0 };
  readonly #options: StageOptions;
  readonly #folders = new Set<string>();
  /** Entries that were rendered, kept only where the others are to be removed. */
  readonly #seen = new Set<string>();
  /** Changes of the run that is being staged. */
  #planned: RecordedChange[] = [];

  constructor(options: StageOptions) {
    this.#options = options;
  }

  /** Throws FailureError `path-collision` if two answers need one place. */
  async stage(entries: AsyncIterable<RenderedEntry> | Iterable<RenderedEntry>): Promise<void> {
    let run: RenderedEntry[] = [];
    for await (const entry of entries) {
      // An entry that is not served is yielded only so that what it had is removed.
      run.push(entry);
      if (run.length === ENTRIES_PER_RUN || run[0]?.route !== entry.route) {
        await this.#stageRun(run);
        run = [];
      }
    }
    await this.#stageRun(run);
  }

  /** Removes what is recorded of entries that were not rendered: the rendered ones, and those of routes that are still to come, are all that is served. */
  async removeOthers(stillToCome: string): Promise<void> {
    for await (const files of readFiles(this.#options.record)) {
      const others = files.filter(
        (file) => file.route !== stillToCome && !this.#seen.has(`${file.route}\0${file.key}`),
      );
      await insertChanges(
        this.#options.record,
        others.map((file) => this.#removal(file)),
      );
    }
  }

  async #stageRun(entries: readonly RenderedEntry[]): Promise<void> {
    const { record, removesOthers, onEntries } = this.#options;
    this.#planned = [];
    for (const [route, ofRoute] of Map.groupBy(entries, (entry) => entry.route)) {
      const recorded = await readFilesOf(
        record,
        route,
        ofRoute.map((entry) => entry.key),
      );
      for (const entry of ofRoute) {
        if (removesOthers) this.#seen.add(`${route}\0${entry.key}`);
        await this.#compare(entry, recorded.get(entry.key) ?? []);
      }
    }
    await insertChanges(record, this.#planned);
    onEntries?.(entries.length);
  }

  async #compare(entry: RenderedEntry, recorded: readonly RecordedFile[]): Promise<void> {
    const before = new Map(recorded.map((file) => [file.path, file]));
    for (const { path, body } of entry.files) {
      const bytes = typeof body === 'string' ? Buffer.from(body) : body;
      const hash = createHash('sha256').update(bytes).digest('hex');
      const old = before.get(path);
      before.delete(path);
      if (old?.hash === hash && !this.#options.damaged.has(path)) {
        this.staged.unchanged++;
        continue;
      }
      await this.#write(path, bytes, old !== undefined);
      this.#planned.push({ path, action: 'write', route: entry.route, key: entry.key, hash, bytes: bytes.length });
    }
    for (const file of before.values()) this.#planned.push(this.#removal(file));
  }

  #removal(file: RecordedFile): RecordedChange {
    this.staged.removed++;
    return { path: file.path, action: 'remove', route: file.route, key: file.key, hash: undefined, bytes: 0 };
  }

  /**
   * The staging folder is on the file system of the output folder, so the file system itself says whether two paths
   * are one there: the same, the same but for case where it folds case, or a file where another path has a folder.
   */
  async #write(path: string, bytes: Uint8Array, isRecorded: boolean): Promise<void> {
    const { output, dryRun } = this.#options;
    this.staged.written++;
    this.staged.writtenBytes += bytes.length;
    if (dryRun) return;
    const inPlace = lstatSync(join(output.folder, path), { throwIfNoEntry: false });
    if (inPlace !== undefined && (!isRecorded || inPlace.isDirectory())) throw await this.#collision(path);
    const file = join(output.staging, path);
    try {
      const folder = dirname(file);
      if (!this.#folders.has(folder)) {
        mkdirSync(folder, { recursive: true });
        this.#folders.add(folder);
      }
      writeFileSync(file, bytes, { flag: 'wx' });
    } catch (error) {
      if (['EEXIST', 'EISDIR', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? ''))
        throw await this.#collision(path);
      throw error;
    }
  }

  async #collision(path: string): Promise<FailureError> {
    const inRun = this.#planned.find((change) => change.path.toLowerCase() === path.toLowerCase());
    const other = inRun?.path ?? (await findFolded(this.#options.record, path));
    if (other !== undefined && other !== path) {
      return stop(
        'path-collision',
        `The file system of ${this.#options.output.folder} does not tell upper from lower case, and these two answers differ by case alone: ${other} and ${path}. Nothing was changed; build into a folder on a file system that does.`,
      );
    }
    return stop(
      'path-collision',
      `${path} is needed for an answer, and there is something else in its place: another answer, a folder, or a file that no build wrote. Nothing was changed; remove it, or name another folder with --out.`,
    );
  }
}
