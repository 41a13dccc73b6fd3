// Draws a field that filters a list.

interface Props {
  /** The label, which names the texts to filter by. */
  readonly label: string;
  readonly value: string;
  readonly onInput: (text: string) => void;
}

export function Filter({ label, value, onInput }: Props) {
  return (
    <label>
      <span class="unseen">{label}</span>
      <input
        class="field"
        type="text"
        placeholder={label}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
        autocomplete="off"
        spellcheck={false}
      />
    </label>
  );
}

/** Says that a filter matches nothing, with a button that clears it. */
export function NoMatch({ text, onClear }: { text: string; onClear: () => void }) {
  return (
    <p class="row gap0">
      <span class="soft">No contract matches “{text}”.</span>
      <button type="button" class="btn small" onClick={onClear}>
        Clear
      </button>
    </p>
  );
}
