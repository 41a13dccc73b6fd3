// Draws what a token lacks and why, and what its owner can do.
import type { ComponentChildren } from 'preact';
import { isOfOwner, type Missing } from '../missing.ts';
import { Uri } from './document.tsx';
import { WithIds } from './id.tsx';
import { Fold, Note } from './note.tsx';

export function MissingNote({ missing }: { missing: readonly Missing[] }) {
  const codes = [...new Set(missing.flatMap(({ code }) => code ?? []))];
  const hasUri = missing.some((item) => item.uri !== undefined && isOfOwner(item));
  return (
    <Note kind="warn" title="What is missing, and why">
      <dl>
        {missing.map(({ title, text, uri }) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>
              <WithIds text={text} />
            </dd>
            {uri !== undefined && (
              <dd>
                <Uri uri={uri} />
              </dd>
            )}
          </div>
        ))}
      </dl>
      {missing.some(isOfOwner) && (
        <OwnerHelp>
          {hasUri
            ? 'Make the address above answer with JSON (SIP-016), or set another address and emit a SIP-019 notification.'
            : 'Change what your contract returns, then emit a SIP-019 notification.'}
        </OwnerHelp>
      )}
      {codes.length > 0 && (
        <p class="sm soft">
          {codes.length === 1 ? 'Failure code' : 'Failure codes'}: <code>{codes.join(', ')}</code>
        </p>
      )}
    </Note>
  );
}

export function OwnerHelp({ children }: { children: ComponentChildren }) {
  return (
    <Fold summary={<span class="sm">Is this your token?</span>}>
      <p class="sm">{children}</p>
    </Fold>
  );
}
