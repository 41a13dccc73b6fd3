// stxpress compare: compares the responses of another API with the responses of a build of the index.

import { compareApi, isNewer, type Verdict } from '#compare/compare-api.ts';
import { chooseContracts, chooseSample } from '#compare/questions.ts';
import { ServerClient } from '#net/server-client.ts';
import { readContractList } from '#source/contract-list/read-contract-list.ts';
import { describeComparison } from './describe-comparison.ts';
import { checkKey, defaultRate, serverOptions } from './open-network.ts';
import type { SettingsOf } from './options.ts';
import { readUrl } from './read-url.ts';
import { type Context, EXIT_FAILED, EXIT_OK, EXIT_TRY_AGAIN } from './surroundings.ts';
import { readIndex } from './use-index.ts';

export async function run(settings: SettingsOf<'compare'>, context: Context, argument: string): Promise<number> {
  const { db, json, sample, contracts, apiKey, concurrency } = settings;
  const { reporter, signal } = context;
  checkKey(apiKey);
  const url = readUrl('The URL of the API', argument, 'https://api.hiro.so');
  const lists = await Promise.all(contracts.map(readContractList));
  const rate = settings.rate ?? (await defaultRate(url, apiKey));
  if (rate !== undefined) reporter.info(`Rate limit for ${url}: ${rate} requests per minute (change it with --rate).`);
  await using reader = new ServerClient(serverOptions(url, { ...settings, rate }, signal, apiKey));
  const comparison = await readIndex(db, async (store) => {
    const isSample = contracts.length === 0;
    const choices = await (isSample ? chooseSample(store, sample) : chooseContracts(store, lists.flat()));
    const onRead = (done: number, total: number) => reporter.progress({ task: 'compare', done, total, unit: 'items' });
    const maxResponses = isSample ? sample : choices.length;
    return compareApi(store, choices, { reader, maxResponses, concurrency, signal, onRead });
  });
  const facts = { url, ...comparison };
  context.print(json ? JSON.stringify(facts, null, 2) : describeComparison(facts));
  const { responses, failures, tip } = comparison;
  // An API at a lower block may lack newer values.
  const explained: readonly Verdict[] = isNewer(tip) ? ['same', 'theirs-missing'] : ['same'];
  if (responses.some(({ verdict }) => !explained.includes(verdict))) return EXIT_FAILED;
  if (failures.some(({ isTemporary }) => !isTemporary)) return EXIT_FAILED;
  return failures.length > 0 ? EXIT_TRY_AGAIN : EXIT_OK;
}
