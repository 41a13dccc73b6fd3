import { expect, test } from 'vitest';
import { findTraits } from '#clarity/find-traits.ts';

const DEPLOYER = 'SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7';
const OTHER = 'SP000000000000000000002Q6VF78';

test('findTraits: what is implemented and used, but not in comments and strings', () => {
  const source = `;; (impl-trait .old.ft)
(impl-trait '${OTHER}.sip-010.ft-trait)
(define-constant NOTE "ends with a backslash \\\\") (impl-trait .own.nft-trait) ;(use-trait x .y.z)
(define-constant TEXT "; no comment \\" (impl-trait .told.ft) here") (use-trait ft '${OTHER}.sip-010.ft-trait)
(use-trait own-ft
  .own.ft-trait)
(define-trait impl-trait-like ())`;
  expect(findTraits(source, DEPLOYER)).toEqual({
    implemented: [`${OTHER}.sip-010.ft-trait`, `${DEPLOYER}.own.nft-trait`],
    used: [`${OTHER}.sip-010.ft-trait`, `${DEPLOYER}.own.ft-trait`],
  });
});
