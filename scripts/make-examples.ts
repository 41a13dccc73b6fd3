// This script writes the examples of the API description, data/sample/examples.json, and the responses that tests
// expect, test/expected/sample, from a build of the bundled sample. Its output is deterministic. Usage: npm run
// make-examples

import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errorFile, fillPath, fixedPart, indexFile } from '#layout/response-files.ts';
import { ROUTES } from '#routes/all.ts';
import type { Route } from '#routes/route.ts';
import { tokenBatch } from '#routes/token-batch.ts';
import { readBatch } from '#serving/token-batch.ts';
import { batchExample, exampleId, readExampleIds } from '#site/examples.ts';
import { SITE_RULES } from '#site/site-rules.ts';
import { openIndex } from '#store/index-database.ts';
import { main } from '../src/cli/main.ts';
import { indexInto } from '../test/support/index-options.ts';
import { readTree, toExpected } from '../test/support/sample.ts';

const EXPECTED = 'test/expected/sample';
/** The contract of the sample with the most complete data. */
const CONTRACT = 'press-token';

/** Returns the content of each file to write, by its path. `db` and `dist`: an index and a build of the sample. */
export async function makeExamples(db: string, dist: string): Promise<Map<string, string>> {
  const read = (path: string): unknown => JSON.parse(readFileSync(join(dist, path), 'utf8'));
  const filesIn = (path: string): string[] => readdirSync(join(dist, path)).sort();
  const contractId = filesIn('extended/v1/contract').find((id) => id.endsWith(`.${CONTRACT}`)) ?? '';
  const [address = '', name = ''] = contractId.split('.');
  const store = await openIndex(db);
  /**
   * The values of path parameters, by their names in the API description. The token id is the id of the first token in
   * a collection.
   */
  const ids = {
    ...(await readExampleIds(store)),
    principal: contractId,
    contract_id: contractId,
    contract_address: address,
    contract_name: name,
  };
  await store.destroy();
  const parameterOf = ({ inBuilds }: Pick<Route, 'inBuilds'>, parameter: string) =>
    exampleId(ids, inBuilds, parameter) ?? '';

  const examples = ROUTES.map((route): [string, object] => {
    const routeParameters = Object.fromEntries(
      route.parameters.map((parameter) => [parameter.name, parameterOf(route, parameter.name)]),
    );
    const filled = fillPath(route, routeParameters);
    const isIndex = !route.isFile && (route.parameters.length === 0 || route.list !== undefined);
    const path = isIndex ? indexFile({ path: filled }) : filled;
    const errors = (route.fileErrors ?? []).flatMap((status) => {
      const below = errorFile(status, fixedPart(route));
      return existsSync(join(dist, below))
        ? filesIn(below).map((file) => ({ status, body: read(`${below}/${file}`) }))
        : [];
    });
    return [
      route.id,
      { parameters: routeParameters, response: read(path), ...(errors.length === 0 ? {} : { errors }) },
    ];
  });
  const request = {
    identifiers: batchExample(ids),
    query: new URLSearchParams(),
    listFile: SITE_RULES.batch.collectionsFile,
  };
  const batch = await readBatch(request, SITE_RULES, async (path) =>
    existsSync(join(dist, path)) ? readFileSync(join(dist, path), 'utf8') : undefined,
  );
  examples.push([tokenBatch.id, { parameters: {}, response: batch }]);
  return new Map([
    ['data/sample/examples.json', `${JSON.stringify(Object.fromEntries(examples), null, 2)}\n`],
    ...[...toExpected(readTree(dist))].map(([path, text]): [string, string] => [`${EXPECTED}/${path}`, text]),
  ]);
}

if (import.meta.main) {
  const project = fileURLToPath(new URL('..', import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), 'stxpress-examples-'));
  const [db, dist] = [join(folder, 'index.sqlite'), join(folder, 'dist')];
  const archive = join(project, 'data/sample/chain.tsv');
  // Without a source of documents, those that are not in `data:` URIs stay queued.
  await indexInto(db, { archives: [archive], vm: true });
  await main(['build', '--quiet', '--db', db, '--out', dist]);
  rmSync(join(project, EXPECTED), { recursive: true, force: true });
  for (const [path, text] of await makeExamples(db, dist)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
  rmSync(folder, { recursive: true });
}
