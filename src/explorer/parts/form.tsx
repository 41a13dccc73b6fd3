// Draws forms: their fields, their button, and why what was typed cannot be used.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

interface FormProps {
  readonly button: string;
  readonly label?: string;
  /** Returns a sentence that says why what was typed cannot be used. */
  readonly onSubmit: () => string | undefined;
  readonly children: ComponentChildren;
}

export function Form({ button, label, onSubmit, children }: FormProps) {
  const [refusal, setRefusal] = useState<string>();
  return (
    <form
      class="call"
      onSubmit={(event) => {
        event.preventDefault();
        setRefusal(onSubmit());
      }}
    >
      {children}
      <button type="submit" aria-label={label}>
        {button}
      </button>
      {refusal !== undefined && (
        <p class="soft" role="alert">
          {refusal}
        </p>
      )}
    </form>
  );
}

interface FieldProps {
  readonly label: string;
  readonly kind?: 'field' | 'number';
  readonly inputMode?: 'numeric' | 'url';
  readonly placeholder?: string;
  readonly value: string;
  readonly onInput: (text: string) => void;
}

export function Field({ label, kind, onInput, ...input }: FieldProps) {
  return (
    <label class={kind}>
      <span class="soft">{label}</span>
      <input
        type="text"
        {...input}
        onInput={(event) => onInput(event.currentTarget.value)}
        autocomplete="off"
        spellcheck={false}
      />
    </label>
  );
}
