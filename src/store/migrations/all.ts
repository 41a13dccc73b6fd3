// Every migration of the index, oldest first: names are never changed, and new ones go to the end.
import type { Migration } from 'kysely/migration';
import * as initial from './0001-initial.ts';

export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-initial': initial,
};
