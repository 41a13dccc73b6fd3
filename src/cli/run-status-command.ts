// stxpress status: what the index holds, what is left to do, what went wrong, and what the last runs did.
import { formatChainId, SAMPLE_CHAIN_ID } from '#model/chain.ts';
import { type FailureCode, failureSentence } from '#model/failure.ts';
import { formatCount } from '#model/format-count.ts';
import { countBlocks, readTip } from '#store/blocks.ts';
import { countChainFailures, readChainFailures, readCounters } from '#store/chain-log.ts';
import { countContracts, countTokenStates } from '#store/count-contracts.ts';
import { countFailures } from '#store/count-failures.ts';
import { INDEX_FILE, openIndex, readInfo, type Store } from '#store/index-database.ts';
import { countJobs } from '#store/jobs.ts';
import { lastRevision } from '#store/ledger.ts';
import { type ListedFailure, listFailures } from '#store/list-failures.ts';
import { countNotifications } from '#store/notifications.ts';
import { countReports } from '#store/reports.ts';
import { type Run, readRun } from '#store/runs.ts';
import { readStoredUrls } from '#store/source-urls.ts';
import { explainSqliteError } from '#store/sqlite-errors.ts';
import type { Settings } from './config.ts';
import type { Context } from './context.ts';
import { EXIT_OK } from './exit-status.ts';
import { count, withoutControls } from './terminal-reporter.ts';

/** Failures of chain data that are named, not only counted. */
const MAX_EXAMPLES = 10;

export async function runStatusCommand(
  settings: Settings<'db' | 'json' | 'failures'>,
  context: Context,
): Promise<number> {
  const store = await openIndex(settings.db, { mustExist: true });
  try {
    const status = await readStatus(store, settings);
    context.print(settings.json ? JSON.stringify(status, null, 2) : describe(status));
    return EXIT_OK;
  } catch (error) {
    throw explainSqliteError(error, settings.db, INDEX_FILE);
  } finally {
    await store.destroy();
  }
}

type Status = Awaited<ReturnType<typeof readStatus>>;

async function readStatus(store: Store, { db, failures }: Settings<'db' | 'failures'>) {
  const { chainId } = await readInfo(store);
  const tip = await readTip(store);
  const jobs = await countJobs(store);
  return {
    index: db,
    chain: chainId === undefined ? null : formatChainId(chainId),
    sample: chainId === SAMPLE_CHAIN_ID,
    revision: await lastRevision(store),
    tip:
      tip === undefined
        ? null
        : { height: tip.height, burnBlockHeight: tip.burnBlockHeight, indexBlockHash: tip.indexBlockHash },
    blocks: await countBlocks(store),
    contracts: await countContracts(store),
    tokens: await countTokenStates(store),
    notifications: await countNotifications(store),
    failures: {
      chain: await countChainFailures(store),
      chainExamples: await readChainFailures(store, MAX_EXAMPLES),
      tokens: await countFailures(store, ['token', 'reading', 'document']),
      images: await countFailures(store, ['image']),
      jobs: await countFailures(store, ['job']),
    },
    source: await readStoredUrls(store),
    reports: await countReports(store),
    pending: {
      listPages: jobs['list-tokens'],
      contracts: jobs['fetch-contract'],
      values: jobs['read-values'],
      tokens: jobs['evaluate-token'],
      documents: jobs['fetch-document'],
      images: jobs['fetch-image'],
    },
    passedOver: await readCounters(store),
    listed: failures ? await listFailures(store) : [],
    lastIndex: (await readRun(store, 'index')) ?? null,
    lastBuild: (await readRun(store, 'build')) ?? null,
  };
}

function describe(status: Status): string {
  const { contracts, tokens, tip, blocks, pending, notifications } = status;
  const { byStandard } = contracts;
  const source = describeSource(status);
  const lines = [
    `Index      ${status.index}, revision ${status.revision}, chain ${status.chain ?? 'not known yet'}${status.sample ? ' (the bundled sample)' : ''}`,
    `Tip        ${tip === null ? 'none' : `block ${formatCount(tip.height)} ${tip.indexBlockHash}, burn block ${formatCount(tip.burnBlockHeight)}`}`,
    `Blocks     ${formatCount(blocks.canonical)} canonical, ${formatCount(blocks.orphaned)} not`,
    `Contracts  ${formatCount(contracts.contracts)}: ${formatCount(contracts.canonical)} canonical, ${formatCount(contracts.unconfirmed)} of them unconfirmed`,
    `Tokens     SIP-010 ${formatCount(byStandard['sip-010'])}: ${tokens.complete} complete, ${tokens.partial} partial, ${tokens.queued} queued, ${tokens.error} error; SIP-009 ${formatCount(byStandard['sip-009'])}; SIP-013 ${formatCount(byStandard['sip-013'])}`,
    `SIP-019    ${count(notifications.all, 'notification')}, ${formatCount(notifications.entitled)} of them entitled`,
    ...(source === undefined ? [] : [`Source     ${source}`]),
    `Pending    ${describePending(pending)}`,
    `Passed by  ${
      Object.entries(status.passedOver)
        .map(([path, number]) => `${formatCount(number)} ${path}`)
        .join(', ') || 'nothing'
    }`,
    ...describeFailures('Failures in the chain data', status.failures.chain),
    ...status.failures.chainExamples.map(({ code, subject }) => `            ${code}: ${withoutControls(subject)}`),
    ...describeFailures('Failures of tokens', status.failures.tokens),
    ...describeFailures('Failures of images', status.failures.images),
    ...describeFailures('Last failures of pending work', status.failures.jobs),
    ...status.listed.map(describeListed),
    `Last index ${describeRun(status.lastIndex)}`,
    `Last build ${describeRun(status.lastBuild)}`,
  ];
  return lines.join('\n');
}

function describeSource({ source: { apiUrl, nodeUrl }, reports }: Status): string | undefined {
  const servers = [
    ...(apiUrl === undefined ? [] : [`API ${apiUrl}`]),
    ...(nodeUrl === undefined ? [] : [`node ${nodeUrl}`]),
  ];
  if (servers.length === 0) return undefined;
  const unknown = reports.unknown === 0 ? '' : `, ${formatCount(reports.unknown)} it does not know`;
  return `${servers.join(', ')}: told ${count(reports.known, 'contract')}${unknown}`;
}

function describePending(pending: Status['pending']): string {
  const parts = [
    ...(pending.listPages > 0 ? [`${count(pending.listPages, 'page')} of the token list to read`] : []),
    ...(pending.contracts > 0 ? [`${count(pending.contracts, 'contract')} to ask for`] : []),
    ...(pending.values > 0 ? [`${count(pending.values, 'token')} to read at a node`] : []),
    `${count(pending.tokens, 'token')} to evaluate`,
    `${count(pending.documents, 'document')} to fetch`,
    `${count(pending.images, 'image')} to copy`,
  ];
  return parts.join(', ');
}

/** One line a failure: which token, what of it, why, and when it is tried again. */
function describeListed({ contractId, what, code, message, attempts, nextAttemptAt }: ListedFailure): string {
  const again =
    attempts === undefined
      ? 'not tried again'
      : `tried ${count(attempts, 'time')}, again after ${new Date(nextAttemptAt ?? 0).toISOString()}`;
  return withoutControls(`  ${contractId} ${what}: ${code}: ${message} (${again})`);
}

function describeFailures(title: string, counts: Readonly<Record<string, number>>): string[] {
  const entries = Object.entries(counts);
  if (entries.length === 0) return [];
  return [
    `${title}:`,
    ...entries.map(
      ([code, count]) => `  ${formatCount(count).padStart(8)}  ${code}: ${failureSentence(code as FailureCode)}`,
    ),
  ];
}

function describeRun(run: Run | null): string {
  if (run === null) return 'none';
  const when = run.startedAt.toISOString();
  if (run.finishedAt === undefined) return `began ${when} and has not finished`;
  const seconds = ((run.finishedAt.getTime() - run.startedAt.getTime()) / 1000).toFixed(1);
  const facts = Object.entries(run.summary)
    .filter(([, value]) => value !== 0)
    .map(([key, value]) => `${key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)} ${value}`);
  return `${when}, ${seconds} s, ${run.outcome}${facts.length === 0 ? '' : `: ${facts.join(', ')}`}`;
}
