// Route metadata/v1/attempts: the days of the last and the next attempt to fetch the documents of tokens.

import { indexFile } from '#layout/response-files.ts';
import { PRINCIPAL_PATTERN } from '#model/principal.ts';
import { type Attempts, readAttempts } from '#store/status/attempts.ts';
import { type Described, jsonPage, type Route, type Zod } from './route.ts';
import { siteSubject } from './subject.ts';

const schema = (z: Zod) =>
  z
    .record(
      z.string().regex(PRINCIPAL_PATTERN),
      z.strictObject({
        failed_on: z.iso.date().describe('Day of the last attempt (UTC)'),
        next_attempt_on: z.iso.date().describe('First day on which an index run tries again (UTC)'),
      }),
    )
    .describe('Tokens whose document could not be fetched and will be tried again, by contract id');

export type AttemptDays = Described<typeof schema>;

export const attempts: Route<readonly Attempts[]> = {
  id: 'attempts',
  path: 'metadata/v1/attempts',
  summary: 'Days of the last and the next attempt to fetch the documents of tokens',
  parameters: [],
  schema,
  about: 'tokens',
  subject: siteSubject(readAttempts, { isUnhashed: true }),
  render(rows) {
    const days = rows.map(({ contractId, failedAt, nextAttemptAt }): [string, AttemptDays[string]] => [
      contractId,
      { failed_on: dayOf(failedAt), next_attempt_on: dayOf(Math.max(failedAt, nextAttemptAt)) },
    ]);
    return [jsonPage(indexFile(attempts), Object.fromEntries(days))];
  },
};

function dayOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}
