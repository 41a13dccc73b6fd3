import { expect, test } from 'vitest';
import { isLocale } from '#model/locale.ts';

test.each(['en', 'pt-BR', 'zh_Hans_CN', 'x', '12345678', 'a-b-c-d-e'])('%s', (text) => {
  expect(isLocale(text)).toBe(true);
});

test.each([
  '',
  '..',
  '-',
  'en-',
  '-en',
  'en--US',
  'en/US',
  'en US',
  '123456789',
  'a-b-c-d-e-f',
  'en\n',
  'en\0',
  'é',
  '%2e',
])('rejects %j', (text) => {
  expect(isLocale(text)).toBe(false);
});
