// The icon of a site in tabs and bookmarks, as a data: URI, which needs no request.

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20"><rect width="20" height="20" rx="5" fill="#08636d"/>' +
  '<path d="M5 6.5h10M5 10h10M5 13.5h6" stroke="#fff" stroke-width="1.8" stroke-linecap="round"/></svg>';

export const ICON_LINK = `<link rel="icon" type="image/svg+xml" href="data:image/svg+xml,${encodeURIComponent(SVG)}">`;
