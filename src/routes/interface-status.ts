// Marks contracts whose interface no source has given in their statuses.
import type { Zod } from './route.ts';

export const interfaceSchema = (z: Zod) =>
  z
    .literal('computed')
    .optional()
    .describe('Set if the Clarity VM computed the contract interface, because no source has given it');
