// Tests `stxpress hosts`, which prints the abilities of each host and how it deviates from them.
import { expect, test } from 'vitest';
import { HOSTS } from '#hosts/all.ts';
import { ABILITIES } from '#hosts/host.ts';
import { okOf, runWarm } from '../support/run-cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('default', async () => {
  const { status, stdout, stderr } = await runWarm(['hosts'], { cwd: tempFolder() });
  expect([status, stderr]).toEqual([0, '']);
  const blocks = stdout.split('\n\n');
  for (const host of HOSTS) {
    const block = blocks.find((text) => text.startsWith(`${host.name}: `)) ?? '';
    expect(block).toContain(`${host.name}: ${host.title.replaceAll('`', '')}\n  use: `);
    const lacks = Object.entries(host.otherwise);
    expect(block.includes('supports everything except:')).toBe(lacks.length > 0);
    for (const [ability, instead] of lacks)
      expect(block).toContain(
        `    ${ABILITIES[ability as keyof typeof ABILITIES].label}: ${instead}`.replaceAll('`', ''),
      );
    expect(block.split('\n').filter((line) => line.startsWith('    '))).toHaveLength(lacks.length);
    for (const { max, of } of host.limits) expect(block).toContain(`${max.toLocaleString('en')} ${of}`);
  }
  const all = blocks.find((text) => text.startsWith('Everything is:')) ?? '';
  for (const { label, means } of Object.values(ABILITIES))
    expect(all).toContain(`${label}: ${means}`.replaceAll('`', ''));
  expect(stdout).toContain('npm run build -- --host');
  expect(stdout).not.toContain('`');
  const json = okOf(await runWarm(['hosts', '--log', 'json'], { cwd: tempFolder() }));
  expect(JSON.parse(json)).toMatchObject({ message: expect.stringContaining('nginx') });
});
