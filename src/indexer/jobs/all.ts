// Lists every kind of job. A new kind needs a file in this folder, a line here, and its fields in model/job.ts.

import type { JobWorker } from '../runner/job-worker.ts';
import { computeInterfaces } from './compute-interfaces.ts';
import { evaluateTokens } from './evaluate-tokens.ts';
import { fetchContracts } from './fetch-contracts.ts';
import { fetchDocuments } from './fetch-documents.ts';
import { fetchImages } from './fetch-images.ts';
import type { JobContext } from './job-context.ts';
import { listNumbers } from './list-numbers.ts';
import { listTokens } from './list-tokens.ts';
import { readValues } from './read-values.ts';

/** Functions that open the worker for a kind of job, or return undefined if the run leaves such jobs queued. */
export const JOB_KINDS: readonly ((context: JobContext) => JobWorker | undefined)[] = [
  listTokens,
  fetchContracts,
  computeInterfaces,
  listNumbers,
  readValues,
  evaluateTokens,
  fetchDocuments,
  fetchImages,
];
