// Reads from the index what a build would answer to some questions, and why it would not.

import { answersOf } from '#routes/answers-of.ts';
import type { Route } from '#routes/route.ts';
import { type CollectionStatus, type TokenStatus, tokenStatus } from '#routes/token-status.ts';
import { readReportFailure } from '#store/contracts/reports.ts';
import type { StoreReader } from '#store/index-database.ts';
import { type Choice, pathOf } from './choose-questions.ts';

export interface Question {
  readonly route: Route;
  readonly path: string;
  /** Undefined where a build has no such answer. */
  readonly own: OwnAnswer | undefined;
  /** What is known of the values, and of those that are missing. */
  readonly status: TokenStatus | CollectionStatus | undefined;
  /** Why an API has told the index nothing of the contract. */
  readonly failure: string | undefined;
}

export interface OwnAnswer {
  /** 200, or 422 with the reason. */
  readonly status: number;
  readonly body: unknown;
}

const OPTIONS = { publicUrl: '' };

/** At most so many, one at a time: an answer may have a megabyte. A collection is asked about its first token. */
export async function* ownAnswers(
  store: StoreReader,
  choices: readonly Choice[],
  most: number,
): AsyncGenerator<Question> {
  let count = 0;
  for (const choice of choices) {
    const { route, contractId } = choice;
    const { path, ...own } = (await readFirst(store, contractId, route)) ?? {
      path: pathOf(choice),
      status: 0,
      body: null,
    };
    if (path === undefined) continue;
    if (++count > most) return;
    const status = await readFirst(store, contractId, tokenStatus as Route);
    yield {
      route,
      path,
      own: own.status === 0 ? undefined : own,
      status: status?.body as TokenStatus | undefined,
      failure: (await readReportFailure(store, contractId))?.message,
    };
  }
}

async function readFirst(
  store: StoreReader,
  contractId: string,
  route: Route,
): Promise<(OwnAnswer & { readonly path: string | undefined }) | undefined> {
  for await (const { page } of answersOf(store, [contractId], [route], OPTIONS))
    if (page.kind !== 'variant')
      return { path: page.path, status: page.kind === 'error' ? page.status : 200, body: JSON.parse(page.body) };
  return undefined;
}
