// Describes the field `interface` of statuses, which marks an interface that the Clarity VM computed.
import type { Zod } from './route.ts';

export const interfaceSchema = (z: Zod) =>
  z
    .literal('computed')
    .optional()
    .describe('Set if the Clarity VM computed the contract interface, because no source provided it');
