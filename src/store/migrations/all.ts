// Every migration of the index, oldest first: names are never changed, and new ones go to the end.
import type { Migration } from 'kysely/migration';
import * as initial from './0001-initial.ts';
import * as fetching from './0002-fetching.ts';
import * as images from './0003-images.ts';
import * as sources from './0004-sources.ts';
import * as blockTimes from './0005-block-times.ts';
import * as packedCode from './0006-packed-code.ts';
import * as largeIndexes from './0007-large-indexes.ts';
import * as typedKeys from './0008-typed-keys.ts';
import * as ledger from './0009-ledger.ts';

export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-initial': initial,
  '0002-fetching': fetching,
  '0003-images': images,
  '0004-sources': sources,
  '0005-block-times': blockTimes,
  '0006-packed-code': packedCode,
  '0007-large-indexes': largeIndexes,
  '0008-typed-keys': typedKeys,
  '0009-ledger': ledger,
};
