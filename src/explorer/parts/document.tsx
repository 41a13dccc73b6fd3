// Draws the URI of a SIP-016 document and what it says: description, attributes, properties, and its locales.
import type { Metadata } from '../responses.ts';
import { Fact } from './facts.tsx';
import { cut, Foreign } from './pieces.tsx';

/** A longer one is folded: it may hold the document itself. */
const SHORT_URI = 120;

interface Props {
  readonly uri: string | undefined;
  readonly metadata: Partial<Metadata> | undefined;
  readonly locale: string;
  readonly onLocale: (locale: string) => void;
}

export function Document({ uri, metadata = {}, locale, onLocale }: Props) {
  const { description, attributes = [], properties = {}, localization } = metadata;
  return (
    <>
      {uri !== undefined && <TokenUri uri={uri} />}
      {localization !== undefined && localization.locales.length > 0 && (
        <label>
          Language{' '}
          <select value={locale} onChange={(event) => onLocale(event.currentTarget.value)}>
            <option value="">{localization.default ?? 'default'}</option>
            {localization.locales
              .filter((one) => one !== localization.default)
              .map((one) => (
                <option key={one} value={one}>
                  {one}
                </option>
              ))}
          </select>
        </label>
      )}
      {description !== undefined && (
        <p class="description">
          <Foreign text={description} />
        </p>
      )}
      {attributes.length > 0 && (
        <dl class="facts">
          {attributes.slice(0, 100).map(({ trait_type: name, value }, index) => (
            <Fact key={index} name={cut(name)}>
              <Foreign text={String(value)} />
            </Fact>
          ))}
        </dl>
      )}
      {Object.keys(properties).length > 0 && (
        <details>
          <summary>Properties</summary>
          <pre class="json">{cut(JSON.stringify(properties, null, 2))}</pre>
        </details>
      )}
    </>
  );
}

function TokenUri({ uri }: { uri: string }) {
  const text = (
    <code>
      <Foreign text={uri} />
    </code>
  );
  if (uri.length > SHORT_URI)
    return (
      <details class="uri">
        <summary class="soft">URI</summary>
        {text}
      </details>
    );
  return (
    <p class="uri">
      <span class="soft">URI</span> {text}
    </p>
  );
}
