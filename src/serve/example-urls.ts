// Picks a path that a build answers for each route, to show to whoever starts the server.

import { type Dirent, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Route } from '#routes/route.ts';
import { fixedPart, indexFile } from '#serving/layout.ts';

/** Existing paths, one a route at most and as many as are asked for. Reads one folder a path segment. */
export function examplePaths(folder: string, routes: readonly Route[], most: number): string[] {
  const paths = routes.flatMap((route) => {
    if (route.parameters.length === 0) return existsSync(join(folder, indexFile(route))) ? [route.path] : [];
    const path = firstFile(folder, fixedPart(route), route.parameters.length);
    return path === undefined ? [] : [path];
  });
  return paths.slice(0, most);
}

function firstFile(folder: string, path: string, depth: number): string | undefined {
  for (const entry of entriesOf(join(folder, path))) {
    const child = `${path}/${entry.name}`;
    const found = depth > 1 ? firstFile(folder, child, depth - 1) : entry.isFile() ? child : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function entriesOf(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true }).sort((left, right) => (left.name < right.name ? -1 : 1));
  } catch {
    return [];
  }
}
