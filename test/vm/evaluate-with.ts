// Evaluates a token from its source, and tells its values and failures apart.
import { type Failure, isFailure } from '#model/failure.ts';
import { TOKEN_GETTERS, valuesOf } from '#model/token.ts';
import type { Evaluator } from '#vm/evaluator.ts';
import type { DeployedSource, TokenAnswers } from '#vm/messages.ts';

const DEPLOYER = 'SP2PABAF9FTAJYNFZH93XENAJ8FVY99RRM50D2JG9';

const block = { stacksHeight: 1_000, blockHeight: 1_000, burnHeight: 800_000 };
export const source = (name: string, sourceCode: string, clarityVersion = 2): DeployedSource => ({
  contractId: `${DEPLOYER}.${name}`,
  sourceCode,
  clarityVersion,
  epoch: '2.4',
  block,
});

/** Evaluates a token behind what it depends on. */
export async function evaluateWith(
  evaluator: Evaluator,
  token: DeployedSource,
  { dependencies = [] as readonly DeployedSource[], mainnet = false, timeLimitMs = 60_000 } = {},
): Promise<TokenAnswers | Failure> {
  const reads = TOKEN_GETTERS.map((getter) => ({ getter }));
  const tokens = [{ contractId: token.contractId, reads }];
  const replayed = await evaluator.replay(
    { steps: [...dependencies, token], tokens, tip: block, mainnet },
    timeLimitMs,
  );
  return isFailure(replayed) ? replayed : (replayed.tokens[0] as TokenAnswers | Failure);
}

export const getters = (over: Record<string, string> = {}) => {
  const bodies: Record<string, string> = {
    'get-name': '(ok "Name")',
    'get-symbol': '(ok "SYM")',
    'get-decimals': '(ok u6)',
    'get-total-supply': '(ok (ft-get-supply token))',
    'get-token-uri': '(ok none)',
    ...over,
  };
  return Object.entries(bodies)
    .map(([name, body]) => `(define-read-only (${name}) ${body})`)
    .join('\n');
};

/** With the values and the failures among the answers apart. */
export const tellApart = (result: TokenAnswers | Failure) => {
  if (isFailure(result)) return result;
  const { answers, ...rest } = result;
  const failures = answers.flatMap(({ getter, failure }) => (failure === undefined ? [] : [{ getter, ...failure }]));
  return { values: valuesOf(answers), failures, ...rest };
};
