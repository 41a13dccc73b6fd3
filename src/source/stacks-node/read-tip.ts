// Reads a node's tip: `GET /v2/info`.
import { type Failure, fail, isFailure } from '#model/failure.ts';
import type { JsonClient } from '#net/json-client.ts';

/** Values that the node leaves out are undefined. */
export interface NodeTip {
  readonly chainId: number | undefined;
  readonly height: number | undefined;
}

export async function readTip(client: JsonClient): Promise<NodeTip | Failure> {
  const answer = await client.get('/v2/info');
  if (isFailure(answer)) return answer;
  if (answer.status === 404) return { chainId: undefined, height: undefined };
  if (answer.status !== 200 || typeof answer.json !== 'object' || answer.json === null)
    return {
      ...fail('source-invalid', `${client.baseUrl} answers /v2/info in an unknown format. Is it a node or an API?`),
      retryable: false,
    };
  const { network_id: chainId, stacks_tip_height: height } = answer.json as Record<string, unknown>;
  return {
    chainId: isWhole(chainId) ? chainId : undefined,
    height: isWhole(height) ? height : undefined,
  };
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
