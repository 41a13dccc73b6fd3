// Asks another API for what an index answers, and compares the answers in their order.

import { runAhead } from '#concurrency/run-ahead.ts';
import { type Failure, fail, isFailure, type Reason } from '#model/failure.ts';
import type { PoliteReader } from '#net/polite-reader.ts';
import type { HttpResponse } from '#net/send-request.ts';
import type { StoreReader } from '#store/index-database.ts';
import { readSummary } from '#store/status/summary.ts';
import { parseJson } from '#text/parse-json.ts';
import { type ComparedAnswer, compareAnswers } from './compare-answers.ts';
import { type Choice, ownAnswers } from './questions.ts';

export interface Comparison {
  /** Heights of the tips; undefined if one is not known. */
  readonly tip: { readonly ours: number | undefined; readonly theirs: number | undefined };
  readonly answers: readonly ComparedAnswer[];
  readonly failures: readonly (Reason & { readonly path: string })[];
}

interface CompareOptions {
  readonly reader: PoliteReader;
  /** How many answers are compared. */
  readonly most: number;
  readonly concurrency: number;
  onRead?(done: number, total: number): void;
}

/** Where an API says how far its chain goes. */
const TIPS = ['v2/info', 'metadata/v1/'];

export async function compareApi(
  store: StoreReader,
  choices: readonly Choice[],
  { reader, most, concurrency, onRead }: CompareOptions,
): Promise<Comparison> {
  const tip = { ours: (await readSummary(store)).tip?.height, theirs: await readTheirTip(reader) };
  const isNewer = tip.ours !== undefined && tip.theirs !== undefined && tip.ours >= tip.theirs;
  const answers: ComparedAnswer[] = [];
  const failures: Comparison['failures'][number][] = [];
  const results = runAhead(ownAnswers(store, choices, most), concurrency, async (question) => ({
    question,
    theirs: await ask(reader, question.path),
  }));
  let done = 0;
  for await (const { question, theirs } of results) {
    const { path } = question;
    if (isFailure(theirs)) failures.push({ path, code: theirs.code, message: theirs.message });
    else answers.push(compareAnswers(question, theirs, isNewer));
    onRead?.(++done, Math.min(most, choices.length));
  }
  return { tip, answers, failures };
}

async function readTheirTip(reader: PoliteReader): Promise<number | undefined> {
  for (const path of TIPS) {
    const answer = await ask(reader, path);
    if (isFailure(answer)) continue;
    const { stacks_tip_height, chain_tip } = (answer.body ?? {}) as {
      stacks_tip_height?: number;
      chain_tip?: { block_height?: number };
    };
    const height = stacks_tip_height ?? chain_tip?.block_height;
    if (typeof height === 'number') return height;
  }
  return undefined;
}

/** With these an API says whether it has an answer. */
const ANSWERS: ReadonlySet<number> = new Set([200, 404, 422]);

async function ask(reader: PoliteReader, path: string): Promise<{ status: number; body: unknown } | Failure> {
  const answer = await reader.read(path, checkAnswer);
  return isFailure(answer)
    ? answer
    : { status: answer.status, body: answer.status === 200 ? parseJson(answer.body.toString()) : undefined };
}

function checkAnswer(response: HttpResponse): Failure | undefined {
  const { status } = response;
  if (!ANSWERS.has(status)) return fail(`http-${status}`, `It answers with status ${status}.`);
  if (status !== 200 || parseJson(response.body.toString()) !== undefined) return undefined;
  // It may be whole the next time.
  return { ...fail('source-invalid', 'It answers with something that is not JSON.'), retryable: true };
}
