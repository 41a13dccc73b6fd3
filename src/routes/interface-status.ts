// Describes the field of statuses that marks a computed contract interface.
import type { Zod } from './route.ts';

export const interfaceSchema = (z: Zod) =>
  z
    .literal('computed')
    .optional()
    .describe('Set if the Clarity VM computed the contract interface, because no source provided it');
