// Evaluates a token from its source, and splits the result into values and failures.
import { type Failure, isFailure } from '#model/failure.ts';
import { TOKEN_GETTERS, valuesOf } from '#model/token.ts';
import type { Evaluator } from '#vm/evaluator.ts';
import type { DeployedSource, TokenResults } from '#vm/messages.ts';
import { tokenSource } from '../support/token-source.ts';

const DEPLOYER = 'SP2PABAF9FTAJYNFZH93XENAJ8FVY99RRM50D2JG9';

const block = { stacksHeight: 1_000, blockHeight: 1_000, burnHeight: 800_000 };
export const source = (name: string, sourceCode: string, clarityVersion = 2): DeployedSource => ({
  contractId: `${DEPLOYER}.${name}`,
  sourceCode,
  clarityVersion,
  epoch: '2.4',
  block,
});

interface EvaluateOptions {
  readonly dependencies?: readonly DeployedSource[];
  readonly chainId?: number;
  readonly timeLimitMs?: number;
}

/** Evaluates a token. Its dependencies are deployed first. */
export async function evaluateWith(
  evaluator: Evaluator,
  token: DeployedSource,
  { dependencies = [], chainId, timeLimitMs = 60_000 }: EvaluateOptions = {},
): Promise<TokenResults | Failure> {
  const reads = TOKEN_GETTERS.map((getter) => ({ getter }));
  const tokens = [{ contractId: token.contractId, reads }];
  const replayed = await evaluator.replay(
    { steps: [...dependencies, token], tokens, tip: block, chainId },
    timeLimitMs,
  );
  return isFailure(replayed) ? replayed : (replayed.tokens[0] as TokenResults | Failure);
}

/** Returns the source of a token whose supply is the sum of its mint and burn events. */
export const getters = (over: Record<string, string> = {}) =>
  tokenSource({ 'get-total-supply': '(ok (ft-get-supply coin))', ...over });

/** Splits the result of an evaluation into values and failures. */
export const separate = (result: TokenResults | Failure) => {
  if (isFailure(result)) return result;
  const { results, ...rest } = result;
  const failures = results.flatMap(({ getter, failure }) => (failure === undefined ? [] : [{ getter, ...failure }]));
  return { values: valuesOf(results), failures, ...rest };
};
