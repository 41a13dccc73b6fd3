// Shows tokens of a stxpress API as a wallet would: names, decimals and pictures of all of them by one request, and of
// one that is asked for its supply, languages, and why something is missing.
// A plain script and no module, since a browser loads no module from a file.

/** A uint has 39 digits, so no honest token has as many decimals. */
const MOST_DECIMALS = 40;

const listUrl = (base) => `${withoutSlash(base)}/metadata/v1/tokenlist.json`;
const tokenUrl = (base, principal, locale) =>
  `${withoutSlash(base)}/metadata/v1/ft/${encodeURIComponent(principal)}${locale ? `?locale=${encodeURIComponent(locale)}` : ''}`;
const statusUrl = (base, principal) => `${withoutSlash(base)}/metadata/v1/status/${encodeURIComponent(principal)}`;
/** Our copies of images have paths of their own host, unless the API was built with its public URL. */
const imageUrl = (base, uri) => (uri?.startsWith('/') ? `${withoutSlash(base)}${uri}` : uri);

function withoutSlash(base) {
  return base.trim().replace(/\/+$/, '');
}

/** 1250000 with 6 decimals is 1.25. BigInt, since a supply may be larger than what a number holds exactly. */
function formatAmount(amount, decimals = 0) {
  if (!/^\d+$/.test(amount ?? '')) return undefined;
  if (decimals > MOST_DECIMALS) return `${amount} / 10^${decimals}`;
  const unit = 10n ** BigInt(decimals);
  const fraction = (BigInt(amount) % unit).toString().padStart(decimals, '0').replace(/0+$/, '');
  const whole = (BigInt(amount) / unit).toString().replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** `{ status, body }`; no status if the server cannot be reached, no body if it is no JSON. */
async function ask(url) {
  try {
    const response = await fetch(url);
    return { status: response.status, body: await response.json().catch(() => undefined) };
  } catch {
    return { status: undefined, body: undefined };
  }
}

/**
 * What a wallet shows of its tokens, by principal, from one request: the list has all tokens, so that 50 of them are as
 * many requests as one. Whoever keeps the list asks again with its ETag, as browsers do: it is sent only if it changed.
 */
async function loadTokens(base, principals) {
  const { body } = await ask(listUrl(base));
  const listed = new Map((Array.isArray(body?.tokens) ? body.tokens : []).map((token) => [token.address, token]));
  return new Map(
    principals
      .filter((principal) => listed.has(principal))
      .map((principal) => [principal, readListed(base, principal, listed.get(principal))]),
  );
}

/** The list has empty texts for names and symbols that are not known. */
function readListed(base, principal, { name, symbol, decimals, logoURI }) {
  const image = imageUrl(base, logoURI);
  return { principal, name: visible(name), symbol: visible(symbol), decimals, image, notes: [] };
}

/** The text, or undefined if it is empty or has no visible character. */
function visible(text = '') {
  return /[^\s\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text) ? text : undefined;
}

/** All that is known of one token: its values, or a `problem`; and `notes` that say why something is missing. */
async function loadToken(base, principal, locale) {
  const answer = await ask(tokenUrl(base, principal, locale));
  if (answer.status === 422 && answer.body?.error === 'Locale not found') {
    const token = await loadToken(base, principal);
    return { ...token, notes: [`There is nothing in the language ${locale}.`, ...token.notes] };
  }
  const isToken = answer.status === 200 && typeof answer.body?.asset_identifier === 'string';
  const problem = isToken ? undefined : explain(answer);
  if (!isToken && answer.status !== 422) return { principal, problem, notes: [] };
  const status = await ask(statusUrl(base, principal));
  const notes = status.status === 200 ? explainStatus(status.body, locale) : [];
  // What the answer said is not said twice.
  if (!isToken) return { principal, problem, notes: notes.filter((note) => !problem.includes(note)) };
  return { principal, notes, locale, ...readToken(base, answer.body) };
}

function readToken(base, { name, symbol, decimals, total_supply, description, metadata, ...images }) {
  const { locales = [], default: standard } = metadata?.localization ?? {};
  return {
    // A localized name is in the metadata; the name beside it is what the contract says.
    name: visible(metadata?.name) ?? visible(name),
    symbol: visible(symbol),
    decimals,
    supply: formatAmount(total_supply, decimals),
    description: metadata?.description ?? description,
    image: imageUrl(base, images.image_thumbnail_uri ?? images.image_uri),
    locales: [...new Set([standard, ...locales])].filter((locale) => locale !== undefined),
  };
}

function explain({ status, body }) {
  const words = body?.message ?? body?.error;
  if (status === undefined)
    return 'The server cannot be reached. Check the base URL and your connection. A server that does not allow requests from other pages looks the same.';
  if (status === 400) return 'This is not a principal. One looks like this: address.contract-name';
  if (status === 404) {
    return words === 'Token not found'
      ? 'There is no such fungible token here.'
      : 'Nothing is found here. Is the base URL right?';
  }
  if (words === 'Token metadata fetch in progress') return 'The token is still being read. Try again later.';
  if (status === 422) return words ?? 'The token cannot be shown.';
  if (status === 200) return 'The answer is no token. Is the base URL right?';
  return `The server answers with status ${status}. Try again later.`;
}

const VALUES = { name: 'name', symbol: 'symbol', decimals: 'decimals', total_supply: 'supply', token_uri: 'token URI' };

/** Sentences from an answer of metadata/v1/status, none if nothing is missing. */
function explainStatus({ failure, values = {}, document: metadata, locales }, locale) {
  if (failure !== undefined) return [failure.message];
  const missing = Object.entries(VALUES)
    .filter(([key]) => values[key]?.failure !== undefined)
    .map(([key, label]) => `No ${label}: ${values[key].failure.message}`);
  const image = metadata?.image;
  return [
    ...missing,
    ...explainDocument('metadata', metadata),
    ...(image === undefined || image.copied
      ? []
      : [`No image: ${image.failure?.message ?? 'It has not been copied yet.'}`]),
    ...explainDocument(`text in ${locale}`, locales?.[locale]),
  ];
}

function explainDocument(label, { state, failure, will_be_tried_again: again } = { state: 'read' }) {
  if (state === 'read') return [];
  const reason = failure?.message ?? 'It has not been fetched yet.';
  return [`No ${label}: ${reason}${failure !== undefined && again ? ' It will be tried again.' : ''}`];
}

/** An element with its text or children. Text comes from strangers: it is never read as HTML. */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

/** `onMore` is undefined where all is shown. */
function renderToken(token, onLocale, onMore) {
  const { principal, problem, name, symbol, decimals, supply, description, locales = [], notes } = token;
  const fact = (label, value) =>
    value === undefined ? undefined : element('div', {}, element('dt', {}, label), element('dd', {}, String(value)));
  // The principal has the name of the contract, which is not a name of the token.
  const title = element('h2', {}, name ?? 'Unnamed token');
  if (symbol !== undefined) title.append(' ', element('span', {}, symbol));
  const text = element('div', {}, title, element('p', { class: 'principal' }, principal));
  if (problem === undefined) {
    if (description !== undefined) text.append(element('p', {}, description));
    const unit = decimals === undefined ? 'in the smallest unit' : (symbol ?? '');
    const whole = supply === undefined ? undefined : `${supply} ${unit}`.trim();
    const facts = [fact('Supply', whole), fact('Decimals', decimals)].filter((value) => value !== undefined);
    if (facts.length > 0) text.append(element('dl', {}, ...facts));
  } else {
    text.append(element('p', { class: 'problem' }, problem));
  }
  if (locales.length > 0) text.append(renderLocales(token, onLocale));
  if (notes.length > 0) text.append(element('ul', {}, ...notes.map((note) => element('li', {}, note))));
  if (onMore !== undefined) {
    const more = element('button', { type: 'button', 'aria-label': `More about ${name ?? principal}` }, 'More');
    more.addEventListener('click', onMore);
    text.append(more);
  }
  return element('article', {}, renderPicture(token), text);
}

function renderPicture({ image, name, symbol, problem }) {
  const initial = [...(symbol || name || '')][0] ?? '?';
  const letter = element('div', { class: 'picture', 'aria-hidden': 'true' }, problem === undefined ? initial : '?');
  if (image === undefined) return letter;
  const picture = element('img', { class: 'picture', src: image, alt: `Logo of ${name ?? symbol ?? 'the token'}` });
  picture.addEventListener('error', () => picture.replaceWith(letter));
  return picture;
}

function renderLocales({ locale, locales }, onLocale) {
  const choice = element('select');
  for (const code of locales) choice.append(new Option(code, code, false, code === (locale ?? locales[0])));
  choice.addEventListener('change', () => onLocale(choice.value));
  return element('label', { class: 'language' }, 'Language', choice);
}

/** Puts tokens where their places stand: what the list has at once, and why another is missing. */
async function showTokens(places, base) {
  const listed = await loadTokens(base, [...places.keys()]);
  for (const [principal, place] of places) {
    const token = listed.get(principal);
    const card = token && renderToken(token, undefined, () => showToken(card, base, principal));
    if (card === undefined) showToken(place, base, principal);
    else place.replaceWith(card);
  }
}

/** Puts all that is known of a token where `place` stands. */
async function showToken(place, base, principal, locale) {
  const token = await loadToken(base, principal, locale);
  const card = renderToken(token, (chosen) => showToken(card, base, principal, chosen));
  const hadFocus = place.contains(document.activeElement);
  place.replaceWith(card);
  if (!hadFocus) return;
  const heading = card.querySelector('h2');
  heading.tabIndex = -1;
  (card.querySelector('select') ?? heading).focus();
}

function start() {
  const [form, base, principals, tokens] = ['form', 'base', 'principals', 'tokens'].map((id) =>
    document.getElementById(id),
  );
  // A link may say what to show: ?base=…&principals=…
  const given = new URLSearchParams(location.search);
  base.value = given.get('base') ?? base.value;
  principals.value = given.get('principals')?.split(',').join('\n') ?? principals.value;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const names = new Set(principals.value.split(/\s+/).filter((name) => name !== ''));
    tokens.replaceChildren();
    const places = new Map([...names].map((name) => [name, element('p', {}, `Asking for ${name} …`)]));
    tokens.append(...places.values());
    showTokens(places, base.value);
  });
  if (given.has('principals')) form.requestSubmit();
}

// In a page it starts; elsewhere, its parts can be tried out.
if (globalThis.document === undefined) {
  globalThis.wallet = { loadTokens, tokenUrl, statusUrl, imageUrl, formatAmount, loadToken, explain, explainStatus };
} else {
  start();
}
