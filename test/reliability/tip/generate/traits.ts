// Defines the Clarity types of parameters, and the source of the contract whose traits all random programs use.
import type { Context, ParameterType } from './scope.ts';

export const TYPES: Readonly<Record<ParameterType, string>> = {
  text: '(string-ascii 40)',
  number: 'uint',
  flag: 'bool',
  who: 'principal',
  named: '<named>',
  source: '<source>',
  proposal: '<proposal>',
  'maybe-named': '(optional <named>)',
  'named-list': '(list 2 <named>)',
};

export const TRAITS = `(define-trait named ((set-it ((string-ascii 40)) (response bool uint))))
(define-trait source ((get-it () (response (string-ascii 40) uint))))
(define-trait proposal ((run (<named>) (response bool uint))))`;

const USED = ['named', 'source', 'proposal'] as const;
const useTraits = () => USED.map((name) => `(use-trait ${name} .traits.${name})`);

/** Returns the statements that import the traits; empty if no older contract defines the traits. */
export function traitsOf({ older }: Context): string[] {
  return older.some(({ kind }) => kind === 'trait') ? useTraits() : [];
}
