// This script takes the examples of the API's description, data/sample/examples.json, from a build of the bundled
// sample.
// Running it again gives the same bytes. Usage: npm run make-examples [-- FILE]
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROUTES } from '#routes/all.ts';
import { errorFile, fillPath, fixedPart, indexFile } from '#routes/route.ts';
import { main } from '../src/cli/main.ts';

const OUTPUT = process.argv[2] ?? fileURLToPath(new URL('../data/sample/examples.json', import.meta.url));
/** The sample's contract that has most to show. */
const CONTRACT = 'press-token';

const folder = mkdtempSync(join(tmpdir(), 'stxpress-examples-'));
const [db, dist] = [join(folder, 'index.sqlite'), join(folder, 'dist')];
const archive = fileURLToPath(new URL('../data/sample/chain.tsv', import.meta.url));
await main(['index', '--quiet', '--no-fetch', '--db', db, '--archive', archive]);
await main(['build', '--quiet', '--db', db, '--out', dist]);

const read = (path: string): unknown => JSON.parse(readFileSync(join(dist, path), 'utf8'));
const filesIn = (path: string): string[] => readdirSync(join(dist, path)).sort();
const contractId = filesIn('extended/v1/contract').find((name) => name.endsWith(`.${CONTRACT}`)) ?? '';
const [address = '', name = ''] = contractId.split('.');
const parameters: Record<string, string> = {
  principal: contractId,
  contract_id: contractId,
  contract_address: address,
  contract_name: name,
};

const examples = ROUTES.map((route) => {
  const own = Object.fromEntries(
    route.parameters.map((parameter) => [parameter.name, parameters[parameter.name] ?? '']),
  );
  const path = route.parameters.length === 0 ? indexFile(route) : fillPath(route, own);
  const errors = route.ownErrors.flatMap((status) => {
    const below = errorFile(status, fixedPart(route));
    return filesIn(below).map((file) => ({ status, body: read(`${below}/${file}`) }));
  });
  return [route.id, { parameters: own, answer: read(path), ...(errors.length === 0 ? {} : { errors }) }];
});
writeFileSync(OUTPUT, `${JSON.stringify(Object.fromEntries(examples), null, 2)}\n`);
rmSync(folder, { recursive: true });
