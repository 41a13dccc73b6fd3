// Draws a form that opens a token of a collection by its number.
import { useState } from 'preact/hooks';
import { TOKEN_NUMBER_PATTERN } from '#model/token.ts';
import type { Kind } from '../place.ts';

export function Jump({ kind, id }: { kind: Kind; id: string }) {
  const [number, setNumber] = useState('');
  const [isRefused, setRefused] = useState(false);
  return (
    <form
      class="call"
      onSubmit={(event) => {
        event.preventDefault();
        const isNumber = TOKEN_NUMBER_PATTERN.test(number.trim());
        setRefused(!isNumber);
        if (isNumber) location.hash = `#/${kind}/${id}/${number.trim()}`;
      }}
    >
      <label class="number">
        <span class="soft">Number of a token</span>
        <input
          type="text"
          inputMode="numeric"
          value={number}
          onInput={(event) => setNumber(event.currentTarget.value)}
          autocomplete="off"
        />
      </label>
      <button type="submit">Open</button>
      {isRefused && (
        <p class="soft" role="alert">
          That is no number of a token.
        </p>
      )}
    </form>
  );
}
