// Cases about semi-fungible tokens, which follow SIP-013.
import { semiFungible } from '../contracts.ts';
import { call, deploy } from '../program.ts';
import { type Case, caseWith, TWICE } from './case.ts';

export const sft = (parts = {}) => deploy('sft', semiFungible(parts));

export const SFT = { value: 'sft get-total-supply 1' };
const MINTS = [call('sft mint u1 u5'), call('sft mint u2 u7'), call('sft burn u1 u2')];

export const SEMI_FUNGIBLE: readonly Case[] = [
  caseWith(SFT, 'sft-supply', 'right', 'the supply is a map entry', [sft(), ...MINTS]),
  caseWith(SFT, 'sft-supply-of-asset', 'reason', 'the supply is that of the asset, which all tokens share', [
    sft({ supply: '(ft-get-supply semi)' }),
    ...MINTS,
  ]),
  caseWith({ ...SFT, ...TWICE }, 'sft-supply-in-two-runs', 'right', 'mints in two runs', [
    sft(),
    call('sft mint u1 u5'),
    call('sft mint u1 u7', { run: 1 }),
    call('sft mint u3 u7', { run: 1 }),
  ]),
  caseWith({ value: 'sft get-decimals 1' }, 'sft-decimals', 'right', 'the decimals change', [
    sft({
      more: '(define-data-var d uint u1) (define-public (set-d) (ok (var-set d u9)))',
      decimals: '(if (is-eq id u1) (var-get d) u3)',
    }),
    call('sft mint u1 u5'),
    call('sft set-d'),
    call('sft mint u2 u5'),
  ]),
];
