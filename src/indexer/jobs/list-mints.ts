// Jobs that find the tokens of a collection page by page, in an API's list of mints.

import type { Failure } from '#model/failure.ts';
import { listMints as listMintsFrom, type MintPage } from '#source/stacks-api/api-answers.ts';
import { type JobWorker, oneByOne } from '../runner/job-worker.ts';
import type { JobContext } from './job-context.ts';
import { saveNumbers } from './list-numbers.ts';

export function listMints({ access, options }: JobContext): JobWorker<'list-mints', MintPage | Failure> | undefined {
  const api = access?.source.api;
  if (access === undefined || api === undefined) return undefined;
  return {
    kind: 'list-mints',
    task: 'lists of mints',
    isOpen: () => access.isAvailable('contracts'),
    work: ({ contractId, asset, offset }) => listMintsFrom(api, `${contractId}::${asset}`, offset),
    save: oneByOne((store, job, page) => saveNumbers(store, job, page, options)),
  };
}
