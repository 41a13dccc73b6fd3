// Renders the JSON schema of the token list, for whoever checks or reads it by a program.
import { z } from 'zod';
import { tokenListSchema } from '#routes/token-list-file.ts';

export function renderTokenListSchema(): string {
  const { $schema, ...schema } = z.toJSONSchema(tokenListSchema(z), { target: 'draft-2020-12' });
  return JSON.stringify({ $schema, title: 'Token list of Stacks', ...schema });
}
