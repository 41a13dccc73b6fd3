// What tokens of random trees are named: by the library, if that is canonical and was deployed before the token.
import { LIBRARY } from './fork-events.ts';
import type { ExpectedServed } from './model.ts';

/** Symbol and name of each canonical token: `S0 Name 1`, or `S0 no name`. */
export function expectedNames(served: ReadonlyMap<string, ExpectedServed>): Map<string, string> {
  const library = served.get(LIBRARY);
  const names = new Map<string, string>();
  for (const [contract, { canonical, height, deploy }] of served) {
    if (!canonical || contract === LIBRARY) continue;
    const isBehind = library?.canonical === true && library.height < height;
    names.set(contract, `S${deploy.at(-1)} ${isBehind ? `Name ${library.deploy.at(-1)}` : 'no name'}`);
  }
  return names;
}
