// Makes a signed transaction from a payload.
import {
  AddressHashMode,
  createSingleSigSpendingCondition,
  createStandardAuth,
  type PayloadInput,
  privateKeyToPublic,
  StacksTransactionWire,
  TransactionSigner,
} from '@stacks/transactions';

const MAINNET = 1;
/** The version bytes of transactions. */
const MAINNET_VERSION = 0x00;
const TESTNET_VERSION = 0x80;

export function signedTransaction(
  payload: PayloadInput,
  { key, chainId, nonce, fee }: { key: string; chainId: number; nonce: number | bigint; fee: number },
): StacksTransactionWire {
  const condition = createSingleSigSpendingCondition(AddressHashMode.P2PKH, privateKeyToPublic(key), nonce, fee);
  const transactionVersion = chainId === MAINNET ? MAINNET_VERSION : TESTNET_VERSION;
  const wire = new StacksTransactionWire({ auth: createStandardAuth(condition), payload, chainId, transactionVersion });
  new TransactionSigner(wire).signOrigin(key);
  return wire;
}
