// Draws a metadata document (SIP-016): description, attributes, languages, its address and its properties.
import type { ComponentChildren } from 'preact';
import type { Metadata } from '../responses.ts';
import { Fact, JsonText } from './basics.tsx';
import { cut, Foreign, MAX_SHORT, Section } from './heading.tsx';
import { Copy } from './id.tsx';

const MAX_ATTRIBUTES = 100;
/** A longer URI is cut in the page: it may contain the document itself. */
const MAX_URI = 500;

interface Props {
  readonly uri: string | undefined;
  readonly metadata: Partial<Metadata> | undefined;
  /** Empty for the default language. */
  readonly locale: string;
  readonly onLocale: (locale: string) => void;
}

export function Document({ uri, metadata = {}, locale, onLocale }: Props) {
  const { description, attributes = [], properties = {}, localization } = metadata;
  const languages = localization !== undefined && localization.locales.length > 0 && (
    <label class="row sm">
      Language{' '}
      <select class="field auto" value={locale} onChange={(event) => onLocale(event.currentTarget.value)}>
        <option value="">{nameOfLocale(localization.default)}</option>
        {localization.locales
          .filter((name) => name !== localization.default)
          .map((name) => (
            <option key={name} value={name}>
              {nameOfLocale(name)}
            </option>
          ))}
      </select>
    </label>
  );
  const hasProperties = Object.keys(properties).length > 0;
  return (
    <>
      {description !== undefined && (
        <section>
          <h2 class="unseen">Description</h2>
          <p class="prose">
            <Foreign text={description} />
          </p>
        </section>
      )}
      {(attributes.length > 0 || languages) && (
        <Section title={attributes.length > 0 ? 'Attributes' : 'Languages'} note={languages || undefined}>
          <dl class="attrs">
            {attributes.slice(0, MAX_ATTRIBUTES).map(({ trait_type: name, value }, index) => (
              <Fact key={index} name={cut(name)}>
                <Foreign text={String(value)} />
              </Fact>
            ))}
          </dl>
        </Section>
      )}
      {(uri !== undefined || hasProperties) && (
        <Section title="Document">
          <div class="card">
            {uri !== undefined && <Uri uri={uri} />}
            {hasProperties && (
              <>
                <p class="pad sm soft">Properties</p>
                <JsonText>{cut(JSON.stringify(properties, null, 2))}</JsonText>
              </>
            )}
          </div>
        </Section>
      )}
    </>
  );
}

/** Returns the language in itself, with its code: `Deutsch (de)`. The code may be any text. */
function nameOfLocale(code = 'default'): string {
  try {
    const name = new Intl.DisplayNames(code, { type: 'language', fallback: 'none' }).of(code);
    return name === undefined ? cut(code, MAX_SHORT) : `${name} (${code})`;
  } catch {
    return cut(code, MAX_SHORT);
  }
}

/** A line with the address of a document, and a button that copies it. */
export function Uri({ uri }: { uri: string }): ComponentChildren {
  return (
    <p class="tools">
      <span class="uri mono" title={cut(uri, MAX_URI)}>
        <Foreign text={cut(uri, MAX_URI)} />
      </span>
      <Copy text={uri} what="URI" />
    </p>
  );
}
