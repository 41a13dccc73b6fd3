// Formats the types of a contract interface in Clarity, and an example literal of each type.
import type { ClarityType, InterfaceFunction } from '#model/contract-interface.ts';

/** The Clarity text of each type, and an example literal; `$name` stands for a member. */
const FORMS: Readonly<Record<string, readonly [type: string, example: string]>> = {
  uint128: ['uint', 'u1'],
  int128: ['int', '1'],
  bool: ['bool', 'true'],
  principal: ['principal', "'SP….name"],
  trait_reference: ['<trait>', "'SP….name"],
  buffer: ['(buff $length)', '0x00'],
  'string-ascii': ['(string-ascii $length)', '"text"'],
  'string-utf8': ['(string-utf8 $length)', 'u"text"'],
  list: ['(list $length $type)', '(list $type)'],
  optional: ['(optional $of)', '(some $of)'],
  response: ['(response $ok $error)', '(ok $ok)'],
};

export function typeText(type: ClarityType): string {
  return write(type, 0);
}

/** Returns an example literal: `(list u1)` for a list of uints. */
export function exampleOf(type: ClarityType): string {
  return write(type, 1);
}

function write(type: ClarityType | number, as: 0 | 1): string {
  if (typeof type === 'number') return String(type);
  const [form, of] = partsOf(type);
  if (form === 'tuple')
    return `{${(of as InterfaceFunction['args']).map((one) => `${one.name}: ${write(one.type, as)}`).join(', ')}}`;
  const members = (form === 'optional' ? { of } : of) as Readonly<Record<string, ClarityType | number>>;
  const text = FORMS[form]?.[as] ?? form;
  return text.replace(/\$(\w+)/g, (_, name: string) => write(members[name] ?? '', as));
}

/** Makes a literal of the typed text. Numbers, strings and principals may be typed without their marks. */
export function toLiteral(type: ClarityType, typed: string): string {
  const text = typed.trim();
  const [form] = partsOf(type);
  if (form === 'uint128' && /^\d+$/.test(text)) return `u${text}`;
  if ((form === 'principal' || form === 'trait_reference') && /^S/.test(text)) return `'${text}`;
  if (form === 'string-ascii' && !/^".*"$/s.test(text)) return JSON.stringify(typed);
  if (form === 'string-utf8' && !/^u".*"$/s.test(text)) return `u${JSON.stringify(typed)}`;
  return text;
}

function partsOf(type: ClarityType): readonly [form: string, of: unknown] {
  return typeof type === 'string' ? [type, {}] : (Object.entries(type)[0] ?? ['', {}]);
}
