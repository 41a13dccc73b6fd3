// Every migration of the index, oldest first: names never change, and new ones go to the end.
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { initial } from './0001-initial.ts';
import { fetching } from './0002-fetching.ts';
import { images } from './0003-images.ts';
import { sources } from './0004-sources.ts';
import { blockTimes } from './0005-block-times.ts';
import { packedCode } from './0006-packed-code.ts';
import { largeIndexes } from './0007-large-indexes.ts';
import { typedKeys } from './0008-typed-keys.ts';
import { ledger } from './0009-ledger.ts';
import { histories } from './0010-histories.ts';
import { forks } from './0011-forks.ts';
import { imageFiles } from './0013-image-files.ts';
import { unfinishedArchives } from './0014-unfinished-archives.ts';
import { calls } from './0015-calls.ts';
import { collections } from './0016-collections.ts';
import { search } from './0017-search.ts';
import { newest } from './0018-newest.ts';
import { replay } from './0019-replay.ts';

export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-initial': statements(initial),
  '0002-fetching': statements(fetching),
  '0003-images': statements(images),
  '0004-sources': statements(sources),
  '0005-block-times': statements(blockTimes),
  '0006-packed-code': packedCode,
  '0007-large-indexes': statements(largeIndexes),
  '0008-typed-keys': statements(typedKeys),
  '0009-ledger': statements(ledger),
  '0010-histories': statements(histories),
  '0011-forks': forks,
  '0013-image-files': statements(imageFiles),
  '0014-unfinished-archives': statements(unfinishedArchives),
  '0015-calls': statements(calls),
  '0016-collections': statements(collections),
  '0017-search': statements(search),
  '0018-newest': statements(newest),
  '0019-replay': statements(replay),
};

function statements(list: readonly string[]): Migration {
  return {
    async up(db) {
      for (const statement of list) await sql.raw(statement).execute(db);
    },
  };
}
