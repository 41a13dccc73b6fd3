// Checks that the settings of an index run fit together. Each function throws FailureError `usage`.
import { stop } from '#model/failure.ts';
import type { SourceUrls } from '#store/index-info.ts';
import { commandLine } from '#text/command-line.ts';
import { isUrl } from './open-seed.ts';
import type { SettingsOf } from './options.ts';

type IndexSettings = SettingsOf<'index'>;

export const HOW_TO_INDEX_A_REAL_CHAIN =
  'Index a real chain with: ' +
  commandLine('index', '--db data/mainnet.sqlite --api-url https://api.hiro.so --discover ft');

/** Throws an error for an empty index that this run cannot fill. */
export function checkCanBegin(
  { db, archive, seed, refresh, maxAgeMs }: IndexSettings,
  urls: SourceUrls,
  existed: boolean,
): void {
  const cannotBegin = (why: string) =>
    stop('usage', `${db} has no contracts yet, and ${why}. ${HOW_TO_INDEX_A_REAL_CHAIN}`);
  if (archive.length > 0 || seed !== undefined || urls.apiUrl !== undefined) return;
  if (urls.nodeUrl !== undefined) throw cannotBegin('a node cannot list them');
  if (refresh.length > 0 || maxAgeMs !== undefined) throw cannotBegin('there is nothing to refresh');
  if (existed) throw cannotBegin('no source is named');
}

export function checkUsage(settings: IndexSettings, { nodeUrl, apiUrl }: SourceUrls): void {
  const { archive, contracts, discover, refresh, maxAgeMs } = settings;
  const online = {
    '--node-url': nodeUrl !== undefined,
    '--api-url': apiUrl !== undefined,
    '--discover': discover !== undefined,
    '--contracts': contracts.length > 0,
    '--refresh': refresh.length > 0,
    '--max-age': maxAgeMs !== undefined,
  };
  const flag = Object.entries(online).find(([, isSet]) => isSet)?.[0];
  if (settings.offline && flag !== undefined)
    throw stop('usage', `--offline and ${flag} contradict each other. Leave one out.`);
  if (contracts.includes('-') && archive.includes('-'))
    throw stop('usage', '--archive and --contracts both name standard input.');
  if (settings.rebuild && archive.length === 0 && settings.seed === undefined && apiUrl === undefined)
    throw stop(
      'usage',
      '--rebuild creates an empty index. Name its sources again with --archive, --seed or --api-url.',
    );
  if (settings.seed === undefined && settings.seedHash !== undefined)
    throw stop('usage', '--seed-hash needs --seed. Name the seed.');
  if (settings.offline && settings.seed !== undefined && isUrl(settings.seed))
    throw stop('usage', '--offline cannot download a seed from a URL. Name a folder, or leave out --offline.');
}

export function checkHasApi({ discover, contracts }: IndexSettings, { apiUrl }: SourceUrls): void {
  const flag = discover !== undefined ? '--discover' : contracts.length > 0 ? '--contracts' : undefined;
  if (flag === undefined || apiUrl !== undefined) return;
  throw stop(
    'usage',
    `${flag} needs --api-url: a node cannot say which transaction deployed a contract. ` +
      'The public API is https://api.hiro.so',
  );
}
