// Writes types of a contract interface as Clarity does, and an example of a literal of each.
import type { ClarityType } from '#model/contract-interface.ts';

const NAMES: Readonly<Record<string, string>> = { uint128: 'uint', int128: 'int', trait_reference: '<trait>' };
/** Examples of plain types; those of the others are made of what is in them. */
const EXAMPLES: Readonly<Record<string, string>> = {
  uint128: 'u1',
  int128: '1',
  bool: 'true',
  principal: "'SP….name",
  trait_reference: "'SP….name",
  buffer: '0x00',
  'string-ascii': '"text"',
  'string-utf8': 'u"text"',
};

interface Member {
  readonly name: string;
  readonly type: ClarityType;
}

export function typeText(type: ClarityType): string {
  if (typeof type === 'string') return NAMES[type] ?? type;
  const [form, of] = partsOf(type);
  const inner = of as Readonly<Record<string, ClarityType>>;
  switch (form) {
    case 'buffer':
      return `(buff ${inner.length})`;
    case 'string-ascii':
    case 'string-utf8':
      return `(${form} ${inner.length})`;
    case 'list':
      return `(list ${inner.length} ${typeText(inner.type as ClarityType)})`;
    case 'optional':
      return `(optional ${typeText(of as ClarityType)})`;
    case 'response':
      return `(response ${typeText(inner.ok as ClarityType)} ${typeText(inner.error as ClarityType)})`;
    case 'tuple':
      return `{${(of as readonly Member[]).map((one) => `${one.name}: ${typeText(one.type)}`).join(', ')}}`;
    default:
      return form;
  }
}

/** `(list u1)` of a list of uints. */
export function exampleOf(type: ClarityType): string {
  if (typeof type === 'string') return EXAMPLES[type] ?? type;
  const [form, of] = partsOf(type);
  const inner = of as Readonly<Record<string, ClarityType>>;
  switch (form) {
    case 'list':
      return `(list ${exampleOf(inner.type as ClarityType)})`;
    case 'optional':
      return `(some ${exampleOf(of as ClarityType)})`;
    case 'response':
      return `(ok ${exampleOf(inner.ok as ClarityType)})`;
    case 'tuple':
      return `{${(of as readonly Member[]).map((one) => `${one.name}: ${exampleOf(one.type)}`).join(', ')}}`;
    default:
      return EXAMPLES[form] ?? form;
  }
}

/** Makes a literal of what was typed: a number, a text or a principal may be typed without its marks. */
export function toLiteral(type: ClarityType, typed: string): string {
  const text = typed.trim();
  const form = typeof type === 'string' ? type : partsOf(type)[0];
  if (form === 'uint128' && /^\d+$/.test(text)) return `u${text}`;
  if ((form === 'principal' || form === 'trait_reference') && /^S/.test(text)) return `'${text}`;
  if (form === 'string-ascii' && !/^".*"$/s.test(text)) return JSON.stringify(typed);
  if (form === 'string-utf8' && !/^u".*"$/s.test(text)) return `u${JSON.stringify(typed)}`;
  return text;
}

function partsOf(type: Exclude<ClarityType, string>): readonly [string, unknown] {
  return Object.entries(type)[0] ?? ['', undefined];
}
