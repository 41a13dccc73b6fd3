// Draws tabs that are places: each has an address, and arrow keys go from one to the next.
import type { ComponentChildren } from 'preact';

interface Props<Id extends string> {
  readonly label: string;
  readonly tabs: readonly (readonly [id: Id, label: string])[];
  readonly chosen: Id;
  readonly hrefOf: (id: Id) => string;
  /** What the chosen tab shows. */
  readonly children: ComponentChildren;
}

export function Tabs<Id extends string>({ label, tabs, chosen, hrefOf, children }: Props<Id>) {
  /** From the tab that has the focus: the chosen one may be another until the page follows. */
  const choose = (event: KeyboardEvent, from: Id) => {
    const at = tabs.findIndex(([id]) => id === from);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: -1 }[event.key];
    const [id] = (to === undefined ? undefined : tabs.at(to % tabs.length)) ?? [];
    if (id === undefined) return;
    event.preventDefault();
    // An arrow is no step that Back should undo.
    location.replace(hrefOf(id));
    document.getElementById(`tab-${id}`)?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label}>
        {tabs.map(([id, name]) => (
          <a
            key={id}
            role="tab"
            id={`tab-${id}`}
            href={hrefOf(id)}
            aria-selected={id === chosen}
            aria-controls={id === chosen ? 'panel' : undefined}
            tabIndex={id === chosen ? 0 : -1}
            onKeyDown={(event) => choose(event, id)}
          >
            {name}
          </a>
        ))}
      </div>
      <div id="panel" role="tabpanel" aria-labelledby={`tab-${chosen}`}>
        {children}
      </div>
    </>
  );
}
