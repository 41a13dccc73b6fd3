// Route metadata/v1/site: hashes of the site and of its 256 parts, to compare two sites.

import { indexFile } from '#layout/response-files.ts';
import { apiStatus } from './api-status.ts';
import { type Described, jsonPage, type Route, type Zod } from './route.ts';

const schema = (z: Zod) =>
  z.strictObject({
    hash: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .describe('Hash of the paths and bytes of all responses, except for this response and `metadata/v1`'),
    buckets: z
      .array(z.string().regex(/^[0-9a-f]{16}$/))
      .length(256)
      .describe('Hash of each part, from 00 to ff: the first byte of the SHA-256 of the path of its responses'),
  });

export const siteHash: Route = {
  id: 'site-hash',
  path: 'metadata/v1/site',
  summary: 'Hash of the site and of each of its 256 parts, to compare two sites',
  parameters: [],
  schema,
  inBuilds: 'all',
  subject: apiStatus.subject,

  render(_, { site }) {
    if (site === undefined) return [];
    const { hash, buckets } = site;
    const response: Described<typeof schema> = { hash, buckets: [...buckets] };
    return [jsonPage(indexFile(siteHash), response)];
  },
};
