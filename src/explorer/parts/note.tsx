// Draws notes: information, warnings and errors.
import type { ComponentChildren } from 'preact';
import type { SiteError } from '../site.ts';
import { Icon, type IconName } from './icon.tsx';
import { WithIds } from './id.tsx';

interface NoteProps {
  readonly kind?: 'info' | 'warn' | 'bad';
  readonly icon?: IconName;
  readonly title?: string;
  readonly children?: ComponentChildren;
}

export function Note({ kind = 'info', icon = kind === 'info' ? 'info' : 'warn', title, children }: NoteProps) {
  return (
    <section class={`note ${kind}`} role={kind === 'bad' ? 'alert' : undefined}>
      <Icon name={icon} />
      <div>
        {title !== undefined && <h2>{title}</h2>}
        {children}
      </div>
    </section>
  );
}

interface ProblemProps {
  readonly error?: SiteError | undefined;
  readonly retry?: (() => void) | undefined;
  /** The title of the error. */
  readonly title?: string;
}

/** Draws an error with its reason, its details and a button to try again. */
export function Problem({ error, retry, title = 'This part could not be loaded' }: ProblemProps) {
  if (error === undefined) return null;
  return (
    <div class="note bad" role="alert">
      <Icon name="off" />
      <div>
        <h2>{title}</h2>
        <p class="sm">{error.message}</p>
        <div class="row">
          {retry !== undefined && error.isPassing && <Retry onClick={retry} />}
          {error.details !== undefined && (
            <Fold summary="Details">
              <p class="mono sm">
                <WithIds text={error.details} />
              </p>
            </Fold>
          )}
        </div>
      </div>
    </div>
  );
}

export function Retry({ onClick }: { onClick: () => void }) {
  return (
    <button type="button" class="btn" onClick={onClick}>
      Try again
    </button>
  );
}

interface FoldProps {
  readonly summary: ComponentChildren;
  readonly isOpen?: boolean;
  readonly kind?: string;
  readonly onToggle?: (isOpen: boolean) => void;
  readonly children: ComponentChildren;
}

/** A part that can be opened and closed. */
export function Fold({ summary, isOpen = false, kind = '', onToggle, children }: FoldProps) {
  return (
    <details class={kind} open={isOpen} onToggle={(event) => onToggle?.(event.currentTarget.open)}>
      <summary>
        <Icon name="right" />
        {typeof summary === 'string' ? <span>{summary}</span> : summary}
      </summary>
      {children}
    </details>
  );
}
