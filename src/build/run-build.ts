// Builds the static API: renders what changed since the last build, and puts it in place so that a kill anywhere costs nothing.
import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Host, SiteFacts } from '#hosts/host.ts';
import { serve } from '#hosts/serve.ts';
import { FailureError } from '#model/failure.ts';
import type { Reporter } from '#model/reporter.ts';
import { ROUTES } from '#routes/all.ts';
import { pageFile, type Route } from '#routes/route.ts';
import {
  type BuildOrigin,
  finishChanges,
  hasPlan,
  type RecordWriter,
  readChanges,
  readFiles,
  readOrigin,
  writePlannedOrigin,
} from '#store/build-record/build-record.ts';
import { countChanged } from '#store/contracts.ts';
import { readInfo, type Store, type StoreReader } from '#store/index-database.ts';
import { codeFingerprint } from './code-fingerprint.ts';
import { describingFiles } from './describing-files.ts';
import { checkLimits, hostFilesInSite, readFacts, writeHostFiles } from './host-files.ts';
import { imageEntries } from './image-entries.ts';
import { explainOutputError, forgetOutput, type Output, openOutput } from './open-output.ts';
import { emptyStaging, placeFiles, removeFile, syncToDisk } from './place-files.ts';
import { siteFiles } from './site-files.ts';
import { type RenderedEntry, type StagedChanges, Stager } from './stage-changes.ts';

export interface BuildOptions {
  /** The output folder. */
  readonly out: string;
  readonly publicUrl: string;
  /** Where the copies of images are that the index knows. */
  readonly imageFolder: string;
  /** Only the routes about tokens, for hosts with a limit of files. */
  readonly onlyTokens: boolean;
  /** The hosts whose files are written too. */
  readonly hosts: readonly Host[];
  /** Render everything and compare, even if nothing is known to have changed. */
  readonly full: boolean;
  /** Hash what is on the disk, and mend what is not as it was written. */
  readonly verify: boolean;
  readonly reporter: Reporter;
}

export interface BuildSummary {
  readonly written: number;
  readonly unchanged: number;
  readonly removed: number;
  /** Files that were not on the disk as they were written; only `verify` looks. */
  readonly mended: number;
  readonly writtenBytes: number;
  readonly files: number;
  readonly bytes: number;
}

/** Throws FailureError for an output folder or disk that is not right; what is served is then as it was. */
export async function runBuild(store: Store, options: BuildOptions): Promise<BuildSummary> {
  const output = await openOutput(options.out);
  let isRefused = false;
  try {
    await finishInterrupted(output);
    const damaged = options.verify ? await findDamaged(output, options.reporter) : new Set<string>();
    // One transaction: an index run that goes on meanwhile does not mix two states into one build.
    const staged = await store.transaction().execute((reader) => plan(reader, output, options, damaged));
    if (staged === undefined) {
      await writeHostFiles(options.hosts, output.folder, output.record);
      return await unchanged(output);
    }
    await place(output);
    const totals = await finishChanges(output.record);
    await writeHostFiles(options.hosts, output.folder, output.record);
    const { written, removed, writtenBytes } = staged;
    return { written, removed, writtenBytes, unchanged: totals.files - written, mended: damaged.size, ...totals };
  } catch (error) {
    if (error instanceof FailureError && error.failure.failure === 'host-limit') isRefused = true;
    throw explainOutputError(error, options.out);
  } finally {
    await output.close();
    if (isRefused && output.isNew) forgetOutput(output);
  }
}

/** A build that was killed after it had decided what to change is finished; one that was killed before left nothing but its staging folder. */
async function finishInterrupted(output: Output): Promise<void> {
  if (await hasPlan(output.record)) {
    await place(output);
    await finishChanges(output.record);
  }
  emptyStaging(output.staging);
}

/** Undefined if there is nothing to do. */
async function plan(
  reader: StoreReader,
  output: Output,
  options: BuildOptions,
  damaged: ReadonlySet<string>,
): Promise<StagedChanges | undefined> {
  const index = await readInfo(reader);
  const origin: BuildOrigin = { indexId: index.indexId, revision: index.revision, fingerprint: fingerprintOf(options) };
  const last = await readOrigin(output.record);
  const sameOrigin = last?.indexId === origin.indexId && last.fingerprint === origin.fingerprint;
  const compareAll = options.full || damaged.size > 0 || !sameOrigin;
  if (!compareAll && last.revision === origin.revision) return undefined;

  const since = compareAll ? 0 : last.revision;
  const removesOthers = compareAll && last !== undefined;
  const stageInto = (record: RecordWriter, dryRun: boolean) =>
    stage(reader, { output, record, options, damaged, since, removesOthers, dryRun });
  if (options.hosts.some((host) => host.limits.length > 0)) await checkSite(output, options, stageInto);
  try {
    return await output.record.transaction().execute(async (record) => {
      const { staged } = await stageInto(record, false);
      await writePlannedOrigin(record, { ...origin, chainId: index.chainId });
      // Once the plan is committed it is carried out without looking at the files again: they must be there.
      if (staged.written > 0) syncToDisk(output.folder);
      return staged;
    });
  } catch (error) {
    emptyStaging(output.staging);
    throw error;
  }
}

/** A host that would not take the site says so before a file of it is written: everything is planned once for that alone. */
async function checkSite(
  output: Output,
  { hosts, reporter }: BuildOptions,
  stageInto: (record: RecordWriter, dryRun: boolean) => Promise<{ readonly facts: SiteFacts }>,
): Promise<void> {
  const done = new Error('planned');
  try {
    await output.record.transaction().execute(async (record) => {
      const { facts } = await stageInto(record, true);
      checkLimits(hosts, output.folder, facts, reporter);
      throw done;
    });
  } catch (error) {
    if (error !== done) throw error;
  }
}

interface StageJob {
  readonly output: Output;
  readonly record: RecordWriter;
  readonly options: BuildOptions;
  readonly damaged: ReadonlySet<string>;
  readonly since: number;
  readonly removesOthers: boolean;
  readonly dryRun: boolean;
}

/** What the record calls the files of hosts, in place of a route. */
const HOST_FILES = 'hosts';

/** Plans and stages in one transaction of the record. */
async function stage(
  reader: StoreReader,
  { output, record, options, damaged, since, removesOthers, dryRun }: StageJob,
): Promise<{ readonly staged: StagedChanges; readonly facts: SiteFacts }> {
  const routes = ROUTES.filter((route) => route.aboutTokens || !options.onlyTokens);
  const total = (await countChanged(reader, since)) * routes.length;
  let done = 0;
  const stager = new Stager({
    output,
    record,
    damaged,
    dryRun,
    onEntries: (count) => {
      done += count;
      options.reporter.progress({ task: 'contracts', done: Math.min(done, total), total, unit: 'items' });
    },
  });
  await stager.stage(renderEntries(reader, routes, since, options));
  if (removesOthers) await stager.removeOthers(HOST_FILES);
  // Last, since what hosts must be told depends on what is there.
  const hostFiles = hostFilesInSite([serve, ...options.hosts], output.folder, await readFacts(record));
  await stager.stage([{ route: HOST_FILES, key: '', files: hostFiles }]);
  return { staged: stager.staged, facts: await readFacts(record) };
}

async function* renderEntries(
  store: StoreReader,
  routes: readonly Route[],
  since: number,
  options: BuildOptions,
): AsyncGenerator<RenderedEntry> {
  const describing = await describingFiles(store, routes, options.publicUrl);
  // Of routes that are left out too: what is below them is answered as they do.
  yield { route: 'site', key: '', files: [...siteFiles(ROUTES), ...describing] };
  yield* imageEntries(store, since, options.imageFolder, options.reporter);
  for (const route of routes) {
    for await (const { key, pages } of route.changed(store, since, options)) {
      yield { route: route.id, key, files: pages.map((page) => ({ path: pageFile(page), body: page.body })) };
    }
  }
}

/** Carries out the plan: writes first, removals last. Doing it again finishes what a kill interrupted. */
async function place(output: Output): Promise<void> {
  placeFiles(output.staging, output.folder);
  for await (const changes of readChanges(output.record, 'remove')) {
    for (const change of changes) removeFile(output.folder, change.path);
  }
  const lines: string[] = [];
  for await (const changes of readChanges(output.record)) {
    for (const { action, path, hash, bytes } of changes)
      lines.push(`${JSON.stringify(action === 'write' ? { action, path, sha256: hash, bytes } : { action, path })}\n`);
  }
  writeChangesFile(output, lines);
  syncToDisk(output.folder);
}

function writeChangesFile(output: Output, lines: readonly string[]): void {
  const beside = `${output.changesFile}.new`;
  writeFileSync(beside, lines.join(''));
  renameSync(beside, output.changesFile);
}

async function unchanged(output: Output): Promise<BuildSummary> {
  writeChangesFile(output, []);
  const { files, bytes } = (await readOrigin(output.record)) ?? { files: 0, bytes: 0 };
  return { written: 0, unchanged: files, removed: 0, mended: 0, writtenBytes: 0, files, bytes };
}

/** Paths of recorded files that are missing or have other bytes than were written. */
async function findDamaged(output: Output, reporter: Reporter): Promise<Set<string>> {
  const damaged = new Set<string>();
  let done = 0;
  for await (const files of readFiles(output.record)) {
    for (const file of files) {
      if (hashOfFile(join(output.folder, file.path)) !== file.hash) damaged.add(file.path);
    }
    done += files.length;
    reporter.progress({ task: 'verify', done, unit: 'items' });
  }
  return damaged;
}

function hashOfFile(path: string): string | undefined {
  try {
    return createHash('sha256').update(readFileSync(path)).digest('hex');
  } catch {
    return undefined;
  }
}

function fingerprintOf({ publicUrl, onlyTokens, hosts }: BuildOptions): string {
  const names = hosts.map((host) => host.name).sort();
  return createHash('sha256')
    .update(JSON.stringify({ publicUrl, onlyTokens, hosts: names }))
    .update(codeFingerprint())
    .digest('hex');
}
