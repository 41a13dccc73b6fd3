// Reads an overlay: a folder with a JSON file for each contract, named by the contract id.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readRegular } from '#files/open-regular.ts';
import { type FailureError, stop } from '#model/failure.ts';
import { isContractId } from '#model/principal.ts';
import { type CuratedFacts, curatedSchema, type Overlay } from '#routes/overlay.ts';
import { readServedAmong } from '#store/contracts/contracts.ts';
import type { StoreReader } from '#store/index-database.ts';
import { excerpt, quote } from '#text/quote.ts';

const EXTENSION = '.json';
const MAX_FILE_BYTES = 100_000;
const MAX_SHOWN_VALUE = 80;

/**
 * Throws FailureError `usage` that names the file and its fault, also for contracts that the index lacks. Files with
 * another extension are ignored.
 */
export async function readOverlay(store: StoreReader, folder: string): Promise<Overlay> {
  const overlay = new Map(namesIn(folder).map((name) => readEntry(folder, name)));
  const replacements = [...overlay.values()].flatMap(({ replaced_by: id }) => id ?? []);
  const served = await readServedAmong(store, [...new Set([...overlay.keys(), ...replacements])]);
  const standards = new Map(served.map(({ contractId, standard }) => [contractId, standard]));
  for (const [contractId, { replaced_by: replacement }] of overlay) {
    const file = join(folder, contractId + EXTENSION);
    if (standards.get(contractId) === undefined) {
      const problem = standards.has(contractId) ? 'is neither a token nor a collection' : 'is not in the index';
      throw invalid(file, `the contract ${contractId} ${problem}. Correct the name of the file, index the contract`);
    }
    if (replacement !== undefined && !standards.has(replacement))
      throw invalid(file, `"replaced_by" is ${quote(replacement)}, which is not in the index. Correct it, index it`);
  }
  return overlay;
}

function readEntry(folder: string, name: string): [string, CuratedFacts] {
  const file = join(folder, name);
  const contractId = name.slice(0, -EXTENSION.length);
  if (!isContractId(contractId))
    throw stop('usage', `${file} is not named by a contract id. Name it <contract address>.<contract name>.json.`);
  const { data, error } = curatedSchema(z).safeParse(parseFile(file), { reportInput: true });
  if (data === undefined) throw invalid(file, describe(error?.issues[0]));
  return [contractId, data];
}

function parseFile(file: string): unknown {
  const text = readRegular(file, MAX_FILE_BYTES).toString();
  try {
    // Some editors write a byte order mark.
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw invalid(file, `it is not JSON (${excerpt((error as Error).message, 200)}). Repair it`);
  }
}

function invalid(file: string, fault: string): FailureError {
  return stop('usage', `${file} is invalid: ${fault}, or remove the file.`);
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

/** Returns the place and the value of a fault, and what the schema allows there. */
function describe(issue: z.core.$ZodIssue | undefined): string {
  const place = issue === undefined || issue.path.length === 0 ? 'its content' : quote(issue.path.join('.'));
  return `${place} ${problemOf(issue)}. Use ${issue?.message}`;
}

function problemOf(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === 'unrecognized_keys') return `has the unknown member ${quote(issue.keys[0] ?? '')}`;
  if (issue?.code === 'invalid_key') return 'has a name that is not allowed';
  return issue?.input === undefined ? 'is missing' : `is ${excerpt(JSON.stringify(issue.input), MAX_SHOWN_VALUE)}`;
}
