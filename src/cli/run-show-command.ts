// stxpress show: prints the data of a contract and its token in the index, and the reasons for missing values.

import { readSearchText } from '#explorer/search-text.ts';
import { stop } from '#model/failure.ts';
import { isContractId } from '#model/principal.ts';
import { contractInfo } from '#routes/contract-info.ts';
import { renderedResponses } from '#routes/rendered-responses.ts';
import { tokenMetadata } from '#routes/token-metadata.ts';
import { tokenStatus } from '#routes/token-status.ts';
import { readServed } from '#store/contracts/contracts.ts';
import { readReportFailure } from '#store/contracts/reports.ts';
import type { Store } from '#store/index-database.ts';
import { describeShown, type Shown, type ShownStatus } from './describe-shown.ts';
import type { SettingsOf } from './options.ts';
import type { Context } from './surroundings.ts';
import { readIndex } from './use-index.ts';

export async function run({ db, json }: SettingsOf<'show'>, context: Context, typed: string): Promise<undefined> {
  const { text: contractId, number } = readSearchText(typed);
  if (!isContractId(contractId) || number !== undefined)
    throw stop(
      'usage',
      `${JSON.stringify(typed)} is not a contract id. Use <contract address>.<contract name>. ` +
        'The explorer of a build finds contracts by name.',
    );
  const shown = await readIndex(db, (store) => readShown(store, contractId, db));
  context.print(json ? JSON.stringify(shown, null, 2) : describeShown(shown));
}

/** Reads the data from the responses of a build. Throws FailureError `usage` if the index lacks the contract. */
async function readShown(store: Store, contractId: string, db: string): Promise<Shown> {
  const contract = await readServed(store, contractId);
  if (contract === undefined) {
    const failure = await readReportFailure(store, contractId);
    const why = failure === undefined ? '' : ` ${failure.message}`;
    throw stop('usage', `The index ${db} has no contract ${contractId}.${why}`);
  }
  const { txId, blockHeight, senderAddress, canonical, confirmed, clarityVersion, epoch, standard, interfaceFrom } =
    contract;
  const shown: Shown = {
    contract_id: contractId,
    standard: standard ?? null,
    canonical,
    confirmed,
    tx_id: txId,
    block_height: blockHeight,
    sender_address: senderAddress,
    clarity_version: clarityVersion ?? null,
    epoch: epoch ?? null,
    interface: interfaceFrom === 'vm' ? 'computed' : (interfaceFrom ?? null),
  };
  for await (const { route, page } of renderedResponses(store, [contractId], ROUTES_SHOWN, { publicUrl: '' })) {
    const body = JSON.parse(page.body) as unknown;
    if (route === contractInfo) Object.assign(shown, describeCode(body as ContractInfo));
    else if (route === tokenStatus) shown.status = body as ShownStatus;
    else if (page.variant !== undefined) shown.locales = [...(shown.locales ?? []), page.variant[1]];
    else shown.response = { status: page.status ?? 200, body: body as Record<string, unknown> };
  }
  return shown;
}

const ROUTES_SHOWN = [contractInfo, tokenMetadata, tokenStatus];

type ContractInfo = { readonly source_code: string; readonly abi: string | null };

function describeCode({ source_code: source, abi }: ContractInfo): Partial<Shown> {
  const functions = abi === null ? null : (JSON.parse(abi) as { functions: unknown[] }).functions.length;
  return { source_bytes: Buffer.byteLength(source), functions };
}
