// The fixed error answers of a site.
import { GENERAL_ERRORS } from '#routes/all.ts';
import { generalErrorFile, type Route, type RouteError } from '#routes/route.ts';

export interface SiteFile {
  readonly path: string;
  readonly body: string;
}

export function siteFiles(routes: readonly Route[]): SiteFile[] {
  const errorPage = ({ status, body }: RouteError, route?: Route): SiteFile => ({
    path: generalErrorFile(status, route),
    body: JSON.stringify(body),
  });
  const ofRoutes = routes.flatMap((route) => [
    ...(route.notFound === undefined ? [] : [errorPage(route.notFound, route)]),
    ...(route.badRequest === undefined ? [] : [errorPage(route.badRequest, route)]),
    ...route.variants.flatMap(({ otherwise }) =>
      // A bad value may be answered as a malformed path is.
      otherwise === 'answer' || otherwise === route.badRequest ? [] : [errorPage(otherwise, route)],
    ),
  ]);
  const general = Object.values(GENERAL_ERRORS).map((error) => errorPage(error));
  return [...general, ...ofRoutes];
}
