import { expect, test } from 'vitest';
import { fail } from '#model/failure.ts';
import { createPace } from '#net/pace.ts';

const SIGNAL = new AbortController().signal;

test('behavior: what asks for an hour is not waited for, nor what is sent beside it', async () => {
  const pace = createPace(2, SIGNAL);
  let asked = 0;
  const busy = async () => {
    asked++;
    return { ...fail('http-503'), retryable: true, retryAfterSeconds: 3_600 };
  };
  const answers = await Promise.all([busy, busy, busy].map((request) => pace.run(request)));
  expect(answers).toMatchObject([{ code: 'http-503' }, { code: 'http-503' }, { code: 'http-503' }]);
  expect(asked).toBe(3);
});
