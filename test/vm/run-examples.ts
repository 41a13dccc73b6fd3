// Runs expressions in two sessions of the VM with other times, blocks and balances of STX. Posts the results by name.
import { parentPort, workerData } from 'node:worker_threads';
import { EPOCHS } from '#model/chain.ts';
import { Session } from '#vm/session.ts';
import { source } from './evaluate-with.ts';

type Example = string | readonly [expression: string, clarityVersion: number];

const sessions = [await Session.load(), await Session.load()] as const;
// The times of blocks depend on the second in which a session begins.
const SystemDate = Date;
for (const [index, session] of sessions.entries()) {
  globalThis.Date = class extends SystemDate {
    constructor() {
      super(Date.UTC(2021, 0, 1 + index));
    }
    static override now(): number {
      return Date.UTC(2021, 0, 1 + index);
    }
  } as DateConstructor;
  await session.reset();
}
const [, later] = sessions;
const { contractId } = source('callee', '');
later.giveStx(contractId.slice(0, contractId.indexOf('.')), 1_000_000n);
for (let index = 0; index < 12; index++) later.deploy(source(`filler-${index}`, '(print u1)'), '(print u1)');
const callee = source('callee', '(define-read-only (answer) (ok u1))');
for (const session of sessions) session.deploy(callee, callee.sourceCode);

const examples = Object.entries(workerData as Readonly<Record<string, Example>>);
parentPort?.postMessage(
  new Map(examples.map(([name, example], index) => [name, sessions.map((session) => run(session, example, index))])),
);

/** Returns the result of an expression, or the reason why the VM refuses it. */
function run(session: Session, example: Example, index: number): unknown {
  const [expression, clarityVersion] = typeof example === 'string' ? ([example, 2] as const) : example;
  const code = `(define-fungible-token coin) (define-non-fungible-token thing uint)
    (define-data-var variable uint u1) (define-map entries uint uint)
    (define-trait answering ((answer () (response uint uint))))
    (define-private (ask (who <answering>)) (contract-of who))
    (define-public (run) (let ((result ${expression})) (if true (err result) (ok u1))))`;
  const epoch = EPOCHS.findLast((known) => known.clarityVersion <= clarityVersion)?.name ?? '2.4';
  const deployed = { ...source(`example-${index}`, code, clarityVersion), epoch };
  const outcome = session.deploy(deployed, code);
  return 'refusal' in outcome ? outcome : session.readFailing(deployed.contractId, 'run');
}
