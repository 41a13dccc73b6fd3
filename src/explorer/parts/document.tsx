// Draws what a SIP-016 document says: description, attributes, properties, and the locales to choose from.
import { cut, Fact, Facts, Foreign } from './pieces.tsx';

export interface Metadata {
  readonly name?: string;
  readonly description?: string;
  readonly attributes?: readonly { readonly trait_type: string; readonly value: string | number | boolean }[];
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly localization?: { readonly default?: string; readonly locales: readonly string[] };
}

interface Props {
  readonly metadata: Metadata | undefined;
  readonly locale: string;
  readonly onLocale: (locale: string) => void;
}

export function Document({ metadata, locale, onLocale }: Props) {
  if (metadata === undefined) return null;
  const { description, attributes = [], properties = {}, localization } = metadata;
  return (
    <section>
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
        <Facts>
          {attributes.slice(0, 100).map(({ trait_type: name, value }, index) => (
            <Fact key={index} name={cut(name)}>
              <Foreign text={String(value)} />
            </Fact>
          ))}
        </Facts>
      )}
      {Object.keys(properties).length > 0 && (
        <details>
          <summary>Properties</summary>
          <pre class="json">{cut(JSON.stringify(properties, null, 2))}</pre>
        </details>
      )}
    </section>
  );
}
