// The node that replays missed blocks: takes --node-url and --node-auth, and gives a client.
import { stop } from '#model/failure.ts';
import { JsonClient } from '#net/json-client.ts';
import type { FOLLOW_OPTIONS } from './options.ts';
import { readUrl } from './read-url.ts';
import type { Settings } from './setting.ts';

type NodeSettings = Pick<Settings<typeof FOLLOW_OPTIONS>, 'nodeUrl' | 'nodeAuth'>;

/** Its URL. Throws FailureError `usage`. */
export function readReplayNode({ nodeUrl, nodeAuth }: NodeSettings): string | undefined {
  if (nodeAuth !== undefined && nodeUrl === undefined)
    throw stop('usage', '--node-auth is for the node of --node-url, which is not given.');
  return nodeUrl === undefined ? undefined : readUrl('--node-url', nodeUrl, 'http://127.0.0.1:20443');
}

/** A new one each time: a node that was away is not given up for ever. */
export function openReplayNode(settings: NodeSettings, signal: AbortSignal): JsonClient | undefined {
  const [baseUrl, { nodeAuth }] = [readReplayNode(settings), settings];
  if (baseUrl === undefined || nodeAuth === undefined) return undefined;
  return new JsonClient({
    baseUrl,
    secretHeaders: { authorization: nodeAuth },
    limits: { connectTimeoutMs: 10_000, idleTimeoutMs: 60_000, totalTimeoutMs: 300_000 },
    concurrency: 1,
    requestsPerMinute: undefined,
    patienceMs: 0,
    signal,
  });
}
