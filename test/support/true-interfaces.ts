// Corrects the interfaces in the lines of an archive, so that each has the definitions of its source, as on a chain.
import { decodeTransaction } from '#clarity/decode-transaction.ts';
import { parseInterface } from '#model/contract-interface.ts';
import { isFailure } from '#model/failure.ts';
import { hasDefinitions, readDefinitions } from '#standards/source-interface.ts';
import type { Json } from './transactions.ts';

/** Replaces each interface that differs from its source. */
export function withTrueInterfaces(line: string): string {
  const at = line.indexOf('{');
  const payload = JSON.parse(line.slice(at)) as { readonly transactions?: readonly Json[] };
  const transactions = payload.transactions?.map((transaction) => {
    const { raw_tx: rawTx, contract_interface: found } = transaction;
    const decoded = found ? decodeTransaction(Buffer.from(String(rawTx).slice(2), 'hex')) : undefined;
    if (decoded === undefined || isFailure(decoded) || decoded.deploy === undefined) return transaction;
    const source = decoded.deploy.source.toString();
    const parsed = parseInterface(found);
    if (!isFailure(parsed) && hasDefinitions(parsed.interface, source)) return transaction;
    const { epoch, clarity_version } = found as Json;
    return { ...transaction, contract_interface: { ...interfaceOf(source), epoch, clarity_version } };
  });
  return `${line.slice(0, at)}${JSON.stringify({ ...payload, transactions })}\n`;
}

/** Returns an interface of a source. All results are booleans. */
export function interfaceOf(source: string): Json {
  return JSON.parse(JSON.stringify(readDefinitions(source)).replaceAll('"unknown"', '"bool"')) as Json;
}
