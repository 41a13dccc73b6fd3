// Cases in which a value depends on the network, the sponsor, the caller, the epoch or a boot contract.

import { BOOT, CHAIN_IDS } from '../accounts.ts';
import { SET_NAME } from '../contracts.ts';
import { call, deploy } from '../program.ts';
import { type Case, caseWith, lateBurn, lateStacks, nameCase, onMainnet, stamped, tok, YES } from './case.ts';

const HASH = '0x0101010101010101010101010101010101010101';
const UNKNOWN_VERSION_ADDRESS = "'SZ2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKQ9H6DPR";
const PUBLIC_KEY = '0x03adb8de4bfb65db2cfd6120d55c6526ae9c52e675db7e47308636534ba7786110';

/** Returns a case with a condition that may differ between mainnet and the test network of the VM. */
const networkCase = (name: string, must: Case['must'], condition: string) =>
  caseWith(YES, name, must, 'the VM runs a test network', [stamped(condition), call('tok stamp')]);
/** Returns a case with an address whose version byte belongs to neither mainnet nor test networks. */
const unknownVersionCase = (name: string, condition: string) =>
  caseWith({ network: 'mainnet' }, name, 'right', 'an address version of neither network', [
    tok({ name: `(if ${condition} "ours" "foreign")` }),
  ]);

export const ENVIRONMENT: readonly Case[] = [
  caseWith(
    { truth: { 'tok get-name': 'yes' } },
    'sponsor-decides',
    'reason',
    'a write depends on the existence of a sponsor',
    [stamped('(is-some tx-sponsor?)'), call('tok stamp', { sponsor: 'alice' })],
  ),
  networkCase('is-standard-decides', 'reason', '(is-standard tx-sender)'),
  caseWith(onMainnet('ours'), 'is-standard-in-getter', 'reason', 'the VM runs a test network', [
    tok({ name: `(if (is-standard '{@deployer}) "ours" "foreign")` }),
  ]),
  networkCase('principal-destruct', 'reason', '(is-ok (principal-destruct? tx-sender))'),
  networkCase('principal-construct', 'reason', `(is-ok (principal-construct? 0x16 ${HASH}))`),
  unknownVersionCase('is-standard-of-neither', `(is-standard ${UNKNOWN_VERSION_ADDRESS})`),
  unknownVersionCase('destruct-of-neither', `(is-ok (principal-destruct? ${UNKNOWN_VERSION_ADDRESS}))`),
  unknownVersionCase('construct-of-neither', `(is-ok (principal-construct? 0x1f ${HASH}))`),
  networkCase('construct-contract', 'right', `(is-ok (principal-construct? 0x16 ${HASH} "named"))`),
  caseWith(onMainnet('foreign'), 'construct-foreign-contract', 'right', 'the VM runs the test network of the address', [
    tok({ name: `(match (principal-construct? 0x1a ${HASH} "named") a "ours" e "foreign")` }),
  ]),
  networkCase('is-standard-as-argument', 'right', '(is-eq u1 (len (filter is-standard (list tx-sender))))'),
  networkCase(
    'principal-destruct-as-argument',
    'right',
    '(is-ok (unwrap-panic (element-at? (map principal-destruct? (list tx-sender)) u0)))',
  ),
  networkCase(
    'principal-of',
    'right',
    `(is-eq (principal-of? ${PUBLIC_KEY}) (ok 'SP1AW6EKPGT61SQ9FNVDS17RKNWT8ZP582RS0JSRJ))`,
  ),
  caseWith(
    onMainnet('mainnet', { 'tok get-decimals': '1' }),
    'network-keyword-in-getter',
    'right',
    'the VM runs a test network',
    [tok({ name: '(if is-in-mainnet "mainnet" "test")', decimals: 'chain-id' })],
  ),
  nameCase('keys-like-heights', 'right', 'tuple keys have the names of heights', [
    tok({
      name: '(get block-height (var-get entry))',
      more: `(define-data-var entry {block-height: (string-ascii 40), burn-block-height: uint}
        {block-height: "first", burn-block-height: u1})
        (define-public (set-it) (ok (var-set entry (merge (var-get entry) {block-height: "second"}))))`,
    }),
    call('tok set-it'),
  ]),
  nameCase('boot-contract', 'reason', 'a getter reads a boot contract, whose calls are not recorded', [
    tok({
      name: `(if (is-some
  (contract-call? 'ST000000000000000000002AMW42H.pox-4
    get-allowance-contract-callers '{@alice} '{@bob})) "allowed" "not yet")`,
    }),
    call("ST000000000000000000002AMW42H.pox-4 allow-contract-caller '{@bob} none", { by: 'alice' }),
  ]),
  nameCase('missing-source', 'reason', 'a getter reads a contract whose deploy is missing in the archive', [
    deploy('gone', `(define-data-var val (string-ascii 40) "gone") (define-read-only (get-val) (var-get val))`, {
      run: 'never',
    }),
    tok({ name: '(contract-call? .gone get-val)' }),
  ]),
  caseWith(
    { network: 'other', truth: { 'tok get-decimals': String(CHAIN_IDS.other) } },
    'chain-id',
    'right',
    "a chain that is neither mainnet nor the VM's",
    [tok({ decimals: 'chain-id' })],
  ),
  caseWith(
    { truth: { 'tok get-name': 'direct' } },
    'public-getter-asks-caller',
    'right',
    'the result of a public getter depends on its caller',
    [tok({ name: '(if (is-eq contract-caller tx-sender) "direct" "passed")', isPublic: ['name'] })],
  ),
  nameCase('own-reader', 'right', 'a token defines a function with the name of a function that the replay adds', [
    tok(`${SET_NAME} (define-public (stxpress-get-name) (if true (err "fake") (ok u1)))`),
  ]),
  caseWith(onMainnet('3'), 'boot-source', 'reason', 'the archive has the source of a boot contract', [
    deploy('pox-4', '', { by: BOOT, clarity: 2 }),
    tok({
      name: "(int-to-ascii (contract-call? 'SP000000000000000000002Q6VF78.pox-4 burn-height-to-reward-cycle u674000))",
    }),
  ]),
  nameCase(
    'block-height-of-unknown-epoch',
    'right',
    'a deploy of an old version in a later epoch, without an interface',
    [
      lateBurn,
      deploy('dep', '(define-data-var at uint block-height) (define-read-only (get-at) (var-get at))', {
        isBare: true,
        clarity: 2,
      }),
      tok({ name: '(int-to-ascii (contract-call? .dep get-at))' }),
    ],
  ),
  caseWith({ epoch: '2.5' }, 'call-in-a-later-epoch', 'reason', 'the meaning of block-height changes in epoch 3.0', [
    stamped('(> block-height u20)', '', { clarity: 2 }),
    { epoch: '3.0' },
    lateStacks,
    call('tok stamp'),
  ]),
];
