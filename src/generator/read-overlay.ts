// Reads an overlay: a folder with a JSON file for each contract, named by the contract id.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readRegular } from '#files/open-regular.ts';
import { stop } from '#model/failure.ts';
import { isContractId } from '#model/principal.ts';
import { type CuratedFacts, curatedSchema, type Overlay } from '#routes/overlay.ts';
import { parseJson } from '#text/parse-json.ts';

const EXTENSION = '.json';
const MAX_FILE_BYTES = 100_000;

/** Throws FailureError `usage` that names the file and its fault. Files with another extension are ignored. */
export function readOverlay(folder: string): Overlay {
  const schema = curatedSchema(z);
  const overlay = new Map<string, CuratedFacts>();
  for (const name of namesIn(folder)) {
    const file = join(folder, name);
    const contractId = name.slice(0, -EXTENSION.length);
    if (!isContractId(contractId))
      throw stop('usage', `${file} is not named by a contract id. Name it <contract address>.<contract name>.json.`);
    const content = parseJson(readRegular(file, MAX_FILE_BYTES).toString());
    if (content === undefined) throw stop('usage', `${file} is not JSON. Repair it, or remove it.`);
    const { success, data, error } = schema.safeParse(content);
    if (!success) throw stop('usage', `${file} is invalid: ${describe(error)}. Repair it, or remove it.`);
    overlay.set(contractId, data);
  }
  return overlay;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(EXTENSION))
      .sort();
  } catch (error) {
    throw stop('usage', `--overlay ${folder} cannot be read (${(error as Error).message}). Pass a folder.`);
  }
}

function describe({ issues: [issue] }: z.ZodError): string {
  const place = issue?.path.join('.') ?? '';
  return `${place === '' ? '' : `${place}: `}${issue?.message ?? 'unknown fault'}`;
}
