// Holds the icon of a site as a data: URI, which needs no request.

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#a8330c"/>' +
  '<path d="M21 11c-1-2-3-3-5-3-3 0-5 2-5 4 0 5 11 3 11 8 0 2-2 4-6 4-3 0-5-1-6-3" ' +
  'fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"/></svg>';

export const ICON_LINK = `<link rel="icon" type="image/svg+xml" href="data:image/svg+xml,${encodeURIComponent(SVG)}">`;
