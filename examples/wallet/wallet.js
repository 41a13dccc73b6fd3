// Shows tokens of a stxpress API as a wallet would. One request loads the names, decimals and images of all tokens. For
// a selected token, further requests load its supply, its languages and the reasons for missing values. This is a plain
// script, since browsers cannot load modules from local files.

/**
 * The maximum number of decimals for which an amount is formatted. A uint has at most 39 digits, so more decimals are a
 * mistake.
 */
const MAX_DECIMALS = 40;

const listUrl = (base) => `${withoutSlash(base)}/metadata/v1/tokenlist.json`;
const tokenUrl = (base, principal, locale) =>
  `${withoutSlash(base)}/metadata/v1/ft/${encodeURIComponent(principal)}${locale ? `?locale=${encodeURIComponent(locale)}` : ''}`;
const statusUrl = (base, principal) => `${withoutSlash(base)}/metadata/v1/status/${encodeURIComponent(principal)}`;
/**
 * Returns the URL of an image. If the API was built without its public URL, the copies of images have paths without a
 * host.
 */
const imageUrl = (base, uri) => (uri?.startsWith('/') ? `${withoutSlash(base)}${uri}` : uri);

function withoutSlash(base) {
  return base.trim().replace(/\/+$/, '');
}

/** Formats an amount: 1250000 with 6 decimals is 1.25. Large supplies need BigInt, since a number would be rounded. */
function formatAmount(amount, decimals = 0) {
  if (!/^\d+$/.test(amount ?? '')) return undefined;
  if (decimals > MAX_DECIMALS) return `${amount} / 10^${decimals}`;
  const unit = 10n ** BigInt(decimals);
  const fraction = (BigInt(amount) % unit).toString().padStart(decimals, '0').replace(/0+$/, '');
  const integer = (BigInt(amount) / unit).toString().replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === '' ? integer : `${integer}.${fraction}`;
}

/** Returns `{ status, body }`. `status` is undefined if the server cannot be reached, and `body` if it is not JSON. */
async function requestJson(url) {
  try {
    const response = await fetch(url);
    return { status: response.status, body: await response.json().catch(() => undefined) };
  } catch {
    return { status: undefined, body: undefined };
  }
}

/**
 * Returns the values to show first, by principal. One request is enough, since the list has all tokens. Browsers cache
 * the list and send its ETag, so the server sends the list again only after it has changed.
 */
async function loadTokens(base, principals) {
  const { body } = await requestJson(listUrl(base));
  const listed = new Map((Array.isArray(body?.tokens) ? body.tokens : []).map((token) => [token.address, token]));
  return new Map(
    principals
      .filter((principal) => listed.has(principal))
      .map((principal) => [principal, readListed(base, principal, listed.get(principal))]),
  );
}

/** Reads a row of the list. In the list, an unknown name or symbol is an empty text. */
function readListed(base, principal, { name, symbol, decimals, logoURI }) {
  const image = imageUrl(base, logoURI);
  return { principal, name: visible(name), symbol: visible(symbol), decimals, image, notes: [] };
}

/** Returns the text, or undefined if it has no visible character. */
function visible(text = '') {
  return /[^\s\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text) ? text : undefined;
}

/** Loads a token. Returns its values or a `problem`. `notes` has the reasons for missing values. */
async function loadToken(base, principal, locale) {
  const response = await requestJson(tokenUrl(base, principal, locale));
  if (response.status === 422 && response.body?.error === 'Locale not found') {
    const token = await loadToken(base, principal);
    return { ...token, notes: [`The token has no metadata in the language ${locale}.`, ...token.notes] };
  }
  const isToken = response.status === 200 && typeof response.body?.asset_identifier === 'string';
  const problem = isToken ? undefined : explain(response);
  if (!isToken && response.status !== 422) return { principal, problem, notes: [] };
  const status = await requestJson(statusUrl(base, principal));
  const notes = status.status === 200 ? explainStatus(status.body, locale) : [];
  // The problem may contain the reasons, so notes that repeat it are omitted.
  if (!isToken) return { principal, problem, notes: notes.filter((note) => !problem.includes(note)) };
  return { principal, notes, locale, ...readToken(base, response.body) };
}

function readToken(base, { name, symbol, decimals, total_supply, description, metadata, ...images }) {
  const { locales = [], default: standard } = metadata?.localization ?? {};
  return {
    // The name in the metadata is localized. The other one comes from the contract and is not.
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
  const reason = body?.message ?? body?.error;
  if (status === undefined)
    return 'The server cannot be reached. Check the base URL, your connection, and whether the server allows CORS.';
  if (status === 400) return 'This is not a principal. Use the form address.contract-name.';
  if (status === 404) {
    return reason === 'Token not found'
      ? 'The API has no such fungible token.'
      : 'Nothing was found. Check the base URL.';
  }
  if (reason === 'Token metadata fetch in progress') return 'The token is not indexed yet. Try again later.';
  if (status === 422) return reason ?? 'The token cannot be shown.';
  if (status === 200) return 'The response is not a token. Check the base URL.';
  return `The server returned status ${status}. Try again later.`;
}

const VALUES = { name: 'name', symbol: 'symbol', decimals: 'decimals', total_supply: 'supply', token_uri: 'token URI' };

/** Returns sentences about missing values, from a response of metadata/v1/status: one for each value. */
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
  return [`No ${label}: ${reason}${failure !== undefined && again ? ' It will be retried.' : ''}`];
}

/** Creates an element with text or child elements. Text is never parsed as HTML, since it is untrusted. */
function element(name, attributes = {}, ...children) {
  const created = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, value);
  created.append(...children.filter((child) => child !== undefined));
  return created;
}

/** Renders a token. The button "More" is omitted if `onMore` is undefined. */
function renderToken(token, onLocale, onMore) {
  const { principal, problem, name, symbol, decimals, supply, description, locales = [], notes } = token;
  const fact = (label, value) =>
    value === undefined ? undefined : element('div', {}, element('dt', {}, label), element('dd', {}, String(value)));
  // The contract's name in the principal is not shown as a name, since it is not the name of the token.
  const title = element('h2', {}, name ?? 'Unnamed token');
  if (symbol !== undefined) title.append(' ', element('span', {}, symbol));
  const text = element('div', {}, title, element('p', { class: 'principal' }, principal));
  if (problem === undefined) {
    if (description !== undefined) text.append(element('p', {}, description));
    const unit = decimals === undefined ? 'in the smallest unit' : (symbol ?? '');
    const supplyText = supply === undefined ? undefined : `${supply} ${unit}`.trim();
    const facts = [fact('Supply', supplyText), fact('Decimals', decimals)].filter((value) => value !== undefined);
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

/**
 * Replaces each placeholder by its token. Tokens in the list are shown immediately. For all others, a further request
 * loads the reason why they are not in the list.
 */
async function showTokens(places, base) {
  const listed = await loadTokens(base, [...places.keys()]);
  for (const [principal, place] of places) {
    const token = listed.get(principal);
    const card = token && renderToken(token, undefined, () => showToken(card, base, principal));
    if (card === undefined) showToken(place, base, principal);
    else place.replaceWith(card);
  }
}

/** Loads all values of a token and shows them in place of the element `place`. */
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
  // The query of the page can select tokens: ?base=…&principals=…
  const query = new URLSearchParams(location.search);
  base.value = query.get('base') ?? base.value;
  principals.value = query.get('principals')?.split(',').join('\n') ?? principals.value;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const names = new Set(principals.value.split(/\s+/).filter((name) => name !== ''));
    tokens.replaceChildren();
    const places = new Map([...names].map((name) => [name, element('p', {}, `Loading ${name} …`)]));
    tokens.append(...places.values());
    showTokens(places, base.value);
  });
  if (query.has('principals')) form.requestSubmit();
}

// Starts if there is a page. Otherwise, such as in tests, exports the functions.
if (globalThis.document === undefined) {
  globalThis.wallet = { loadTokens, tokenUrl, statusUrl, imageUrl, formatAmount, loadToken, explain, explainStatus };
} else {
  start();
}
