// The files of a site that belong to no contract: the fixed error answers, and what hosts read.
import { renderServeJson, SERVE_JSON_PATH } from '#hosts/serve-json.ts';
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
    errorPage(route.notFound, route),
    errorPage(route.badRequest, route),
    ...route.variants.flatMap(({ otherwise }) => (otherwise === 'answer' ? [] : [errorPage(otherwise, route)])),
  ]);
  const general = Object.values(GENERAL_ERRORS).map((error) => errorPage(error));
  return [...general, ...ofRoutes, { path: SERVE_JSON_PATH, body: renderServeJson() }];
}
