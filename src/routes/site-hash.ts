// Route metadata/v1/site: one hash of all answers of the site, and of each of their 256 parts.

import { indexFile } from '#layout/response-files.ts';
import { apiStatus } from './api-status.ts';
import { type Described, jsonPage, type Route, type Zod } from './route.ts';

const schema = (z: Zod) =>
  z.strictObject({
    hash: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .describe('Names the site by the paths and bytes of its answers, without this one and `metadata/v1`'),
    buckets: z
      .array(z.string().regex(/^[0-9a-f]{16}$/))
      .length(256)
      .describe('The same of the answers whose path has a SHA-256 that begins with this byte, from 00 to ff'),
  });

export const siteHash: Route = {
  id: 'site-hash',
  path: 'metadata/v1/site',
  summary: 'One hash that names the site, and one of each of 256 parts, to tell where two sites differ',
  parameters: [],
  schema,
  about: 'tokens',
  subject: apiStatus.subject,

  render(_, { site }) {
    if (site === undefined) return [];
    const { hash, buckets } = site;
    const answer: Described<typeof schema> = { hash, buckets: [...buckets] };
    return [jsonPage(indexFile(siteHash), answer)];
  },
};
