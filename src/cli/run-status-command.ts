// stxpress status: prints the contents of the index, the remaining work, the failures, and the last runs.

import type { SeedToContinue } from '#indexer/chain/index-seed.ts';
import { SEED_PART_PATH } from '#layout/data-files.ts';
import { formatChainId, SAMPLE_CHAIN_ID } from '#model/chain.ts';
import { type FailureCode, failureSentence, nameSubject } from '#model/failure.ts';
import { readUnfinishedArchives } from '#store/chain/archives.ts';
import { countBlocks, readTip } from '#store/chain/blocks.ts';
import { countChainFailures, readChainFailures } from '#store/chain/chain-log.ts';
import { countInterfaces } from '#store/chain/missing-interfaces.ts';
import { countNotifications } from '#store/chain/notifications.ts';
import { countReports } from '#store/contracts/reports.ts';
import type { Store } from '#store/index-database.ts';
import { readInfo } from '#store/index-info.ts';
import { lastRevision } from '#store/ledger/ledger.ts';
import {
  countContracts,
  countFailures,
  countTokenStates,
  type ListedFailure,
  listFailures,
} from '#store/status/counts.ts';
import { countNumberedTokens } from '#store/tokens/collection-states.ts';
import { countJobs } from '#store/work/jobs.ts';
import { type Run, readRun } from '#store/work/runs.ts';
import { count, formatCount } from '#text/format-count.ts';
import { describeUnfinishedSeed } from './open-seed.ts';
import type { SettingsOf } from './options.ts';
import { describeJobs, describeUnfinished, nameJobs } from './pending-work.ts';
import type { Context } from './surroundings.ts';
import { joinLines } from './terminal-reporter.ts';
import { readIndex } from './use-index.ts';

/** The maximum number of listed failures in the chain data. Further failures are only counted. */
const MAX_EXAMPLES = 10;
/** The maximum number of listed contracts that the last build left out. */
const MAX_LEFT_OUT = 100;

export async function run({ db, json, failures }: SettingsOf<'status'>, context: Context): Promise<undefined> {
  const status = await readIndex(db, (store) => readStatus(store, db, failures));
  const facts = { ...status, pending: nameJobs(status.pending) };
  context.print(json ? JSON.stringify(facts, null, 2) : describe(status));
}

type Status = Awaited<ReturnType<typeof readStatus>>;

async function readStatus(store: Store, db: string, listsFailures: boolean) {
  const { chainId, nodeUrl, apiUrl, vmVersion, seed } = await readInfo(store);
  const tip = await readTip(store);
  return {
    index: db,
    chain: chainId === undefined ? null : formatChainId(chainId),
    sample: chainId === SAMPLE_CHAIN_ID,
    revision: await lastRevision(store),
    vmVersion: vmVersion ?? null,
    tip: tip ? { height: tip.height, burnBlockHeight: tip.burnBlockHeight, indexBlockHash: tip.indexBlockHash } : null,
    blocks: await countBlocks(store),
    contracts: await countContracts(store),
    interfaces: await countInterfaces(store, MAX_EXAMPLES),
    tokens: await countTokenStates(store),
    numbered: await countNumberedTokens(store),
    notifications: await countNotifications(store),
    failures: {
      chain: await countChainFailures(store),
      chainExamples: await readChainFailures(store, MAX_EXAMPLES),
      tokens: await countFailures(store, ['token', 'reading', 'document']),
      images: await countFailures(store, ['image']),
      jobs: await countFailures(store, ['job']),
    },
    source: { nodeUrl, apiUrl },
    reports: await countReports(store),
    unfinishedSeed: seed === undefined ? null : (JSON.parse(seed) as SeedToContinue),
    unfinishedArchives: (await readUnfinishedArchives(store)).filter(({ name }) => !SEED_PART_PATH.test(name)),
    pending: await countJobs(store),
    listed: listsFailures ? await listFailures(store) : [],
    lastIndex: (await readRun(store, 'index')) ?? null,
    lastBuild: (await readRun(store, 'build')) ?? null,
  };
}

function describe(status: Status): string {
  const { contracts, tokens, tip, blocks, notifications, failures } = status;
  const { byStandard } = contracts;
  const n = formatCount;
  const states = (['complete', 'partial', 'queued', 'error'] as const).map((state) => `${n(tokens[state])} ${state}`);
  const collections = (['sip-009', 'sip-013'] as const).map((standard) => {
    const name = standard.toUpperCase();
    return `${name} ${count(byStandard[standard], 'collection')} of ${count(status.numbered[standard], 'token')}`;
  });
  const pending = describeJobs(status.pending);
  const source = describeSource(status);
  const seed = status.unfinishedSeed === null ? undefined : describeUnfinishedSeed(status.unfinishedSeed, status.index);
  return joinLines(
    `Index      ${status.index}, revision ${status.revision}, ` +
      `chain ${status.chain ?? 'not yet known'}${status.sample ? ' (the bundled sample)' : ''}`,
    tip === null
      ? 'Tip        none'
      : `Tip        block ${n(tip.height)} ${tip.indexBlockHash}, burn block ${n(tip.burnBlockHeight)}`,
    `Blocks     ${n(blocks.canonical)} canonical, ${n(blocks.orphaned)} not`,
    `Contracts  ${n(contracts.contracts)}: ${n(contracts.canonical)} canonical, ` +
      `${n(contracts.unconfirmed)} of them unconfirmed`,
    describeInterfaces(status),
    `Tokens     SIP-010 ${n(byStandard['sip-010'])}: ${states.join(', ')}; ${collections.join('; ')}`,
    status.vmVersion !== null && `VM         ${status.vmVersion}`,
    `SIP-019    ${count(notifications.all, 'notification')}, ` +
      `${n(notifications.entitled)} from the contract or deployer of the token`,
    source !== undefined && `Source     ${source}`,
    `Pending    ${pending.join(', ') || 'nothing'}`,
    seed !== undefined && [`Seed       ${seed[0]}`, `           ${seed[1]}`],
    status.unfinishedArchives.map((archive) => {
      const [why, how] = describeUnfinished(archive, status.index);
      return [`Archive    ${why}`, `           ${how}`];
    }),
    describeFailures('Failures in the chain data', failures.chain),
    failures.chainExamples.map((failure) => `            ${failure.code}: ${nameSubject(failure)}`),
    describeFailures('Failures of tokens', failures.tokens),
    describeFailures('Failures of images', failures.images),
    describeFailures('Last failures of pending work', failures.jobs),
    status.listed.map(describeListed),
    `Last index ${describeRun(status.lastIndex)}`,
    `Last build ${describeRun(status.lastBuild)}`,
    describeLeftOut(status.lastBuild),
  );
}

/** Names the contracts that the last build could not write (generator/left-out.ts). */
function describeLeftOut(build: Run | null): string[] {
  const { leftOut, out } = build?.summary ?? {};
  if (!Array.isArray(leftOut) || leftOut.length === 0) return [];
  const shown = leftOut.slice(0, MAX_LEFT_OUT).map((contractId) => `           ${contractId}`);
  const rest = leftOut.length - shown.length;
  return [
    `Left out   ${count(leftOut.length, 'contract')} that ${out} cannot hold:`,
    ...shown,
    ...(rest === 0 ? [] : [`           and ${formatCount(rest)} more, which --json lists`]),
  ];
}

function describeInterfaces({ interfaces: { computed, missing, missingIds } }: Status): string[] {
  if (computed + missing === 0) return [];
  const line = `Interfaces ${formatCount(computed)} computed by the Clarity VM, ${formatCount(missing)} missing`;
  return [missing === 0 ? line : `${line}:`, ...missingIds.map((contractId) => `           ${contractId}`)];
}

function describeSource({ source: { apiUrl, nodeUrl }, reports }: Status): string | undefined {
  const servers = [apiUrl && `API ${apiUrl}`, nodeUrl && `node ${nodeUrl}`].filter((server) => server !== undefined);
  if (servers.length === 0) return undefined;
  const unknown = reports.unknown === 0 ? '' : `, ${formatCount(reports.unknown)} unknown to it`;
  return `${servers.join(', ')}: ${count(reports.known, 'contract')} read${unknown}`;
}

function describeListed({ contractId, tokenId, what, code, message, attempts, nextAttemptAt }: ListedFailure): string {
  const again =
    attempts === undefined
      ? 'not tried again'
      : `tried ${count(attempts, 'time')}, again after ${new Date(nextAttemptAt ?? 0).toISOString()}`;
  const subject = tokenId === undefined ? contractId : `${contractId}/${tokenId}`;
  return `  ${subject} ${what}: ${code}: ${message} (${again})`;
}

function describeFailures(title: string, counts: Readonly<Record<string, number>>): string[] {
  const lines = Object.entries(counts).map(
    ([code, count]) => `  ${formatCount(count).padStart(8)}  ${code}: ${failureSentence(code as FailureCode)}`,
  );
  return lines.length === 0 ? [] : [`${title}:`, ...lines];
}

function describeRun(run: Run | null): string {
  if (run === null) return 'none';
  const { startedAt, finishedAt, outcome, summary } = run;
  const when = startedAt.toISOString();
  if (finishedAt === undefined) return `started ${when} and has not finished`;
  const seconds = ((finishedAt.getTime() - startedAt.getTime()) / 1000).toFixed(1);
  const facts = Object.entries(summary)
    .filter(([, value]) => value !== 0 && !Array.isArray(value))
    .map(([key, value]) => `${key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)} ${value}`);
  return `${when}, ${seconds} s, ${outcome}${facts.length === 0 ? '' : `: ${facts.join(', ')}`}`;
}
