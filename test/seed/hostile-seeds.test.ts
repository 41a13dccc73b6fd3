// Tests that a hostile or damaged seed is refused with its reason, and that the index keeps its data.
import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { SEED_MANIFEST, seedPartName } from '#layout/data-files.ts';
import { addToHash, formatManifest, type SeedManifest, type SeedPart } from '#layout/seed-manifest.ts';
import { indexInto } from '../support/index-options.ts';
import { loopbackServer } from '../support/loopback-server.ts';
import { expectRefused, okOf, runWarm } from '../support/run-cli.ts';
import { copyIndex, SAMPLE_ARCHIVE, sampleIndex } from '../support/sample.ts';
import { seedOf, siteOf } from '../support/seeds.ts';
import { tempFolder, tempFolderForFile } from '../support/temp-folder.ts';

type Part = { -readonly [Key in keyof SeedPart]: SeedPart[Key] };
/** The members of a part. */
const PART: Readonly<Record<keyof SeedPart, 0>> = {
  ...{ file: 0, first: 0, last: 0, index_block_hash: 0, is_final: 0, blocks: 0 },
  ...{ bytes: 0, text_bytes: 0, sha256: 0, hash: 0 },
};
type Manifest = Omit<SeedManifest, 'parts'> & { readonly parts: Part[] };

const db = sampleIndex();
const honest = join(tempFolderForFile(), 'seed');
beforeAll(async () => {
  await seedOf({ db, archives: [SAMPLE_ARCHIVE], out: honest });
});

const manifestOf = (folder: string) => JSON.parse(readFileSync(join(folder, SEED_MANIFEST), 'utf8')) as Manifest;

/** Copies a seed, and changes its manifest. */
function changed(change: (manifest: Manifest, folder: string) => void, original = honest): string {
  const folder = join(tempFolder(), 'seed');
  cpSync(original, folder, { recursive: true });
  const manifest = manifestOf(folder);
  change(manifest, folder);
  writeFileSync(join(folder, SEED_MANIFEST), formatManifest(manifest));
  return folder;
}

/** Replaces the text of a part, and all hashes that depend on it, as somebody who lies would. */
function forge(manifest: Manifest, folder: string, at: number, lie: (text: string) => string): void {
  const part = manifest.parts[at] as Part;
  const text = lie(zstdDecompressSync(readFileSync(join(folder, part.file))).toString());
  const bytes = zstdCompressSync(text);
  part.sha256 = createHash('sha256').update(bytes).digest('hex');
  part.file = seedPartName(part.first, part.last, part.sha256);
  [part.bytes, part.text_bytes] = [bytes.length, Buffer.byteLength(text)];
  writeFileSync(join(folder, part.file), bytes);
  sign(manifest);
}

function sign({ parts }: Manifest): void {
  let hash = '';
  for (const part of parts) hash = part.hash = addToHash(hash, part);
}

/** Returns a change of the second part. All hashes fit, as if its maker lied. */
function signed(change: (part: Part) => unknown) {
  return (manifest: Manifest) => {
    change(manifest.parts[1] as Part);
    sign(manifest);
  };
}

const index = (cwd: string, ...args: string[]) =>
  runWarm(['index', '--db', 'i.sqlite', '--no-vm', ...args], { cwd, env: { STXPRESS_WAIT: '0' } });

describe('a seed in a folder', () => {
  test.each<[string, (manifest: Manifest, folder: string) => void, RegExp]>([
    [
      'a changed byte',
      ({ parts }, folder) => {
        const path = join(folder, parts[1]?.file ?? '');
        const bytes = readFileSync(path);
        bytes[20] = (bytes[20] ?? 0) ^ 1;
        writeFileSync(path, bytes);
      },
      /tsv\.zst is missing, or does not have the bytes that the manifest states/,
    ],
    ['a missing part', ({ parts }) => parts.splice(1, 1), /the hash of part 2 is wrong/],
    ['no last part', ({ parts }) => parts.splice(-1), /no part ends at the tip/],
    ['swapped parts', ({ parts }) => parts.reverse(), /the hash of part 1 is wrong/],
    [
      'a path out of the folder',
      ({ parts }) => {
        (parts[0] as Part).file = '../../etc/passwd';
      },
      /part 1 has the wrong file name "\.\.\/\.\.\/etc\/passwd"/,
    ],
    [
      'a negative height',
      ({ parts }) => {
        (parts[0] as Part).first = -1;
      },
      /part 1 lacks a member/,
    ],
    [
      'a huge part',
      (manifest) => {
        (manifest.parts[0] as Part).bytes = 1e12;
        sign(manifest);
      },
      /part 1 is too large/,
    ],
    [
      'more text than it states',
      (manifest, folder) => {
        forge(manifest, folder, 1, (text) => `${text}1\t2024-01-01T00:00:00Z\t/other\t${'0'.repeat(3e6)}\n`);
        (manifest.parts[1] as Part).text_bytes = 100_000;
        sign(manifest);
      },
      /has more text than its manifest states/,
    ],
    [
      'a transaction with another id',
      (manifest, folder) => {
        forge(manifest, folder, 1, (text) => text.replace(/"raw_tx":"0x(\w\w)\w\w/, '"raw_tx":"0x$1ff'));
      },
      /line \d+ \(byte \d+\): the bytes of the transaction "0x[0-9a-f]{64}" have another id\. The seed is damaged or forged/,
    ],
    [
      'a block of another height',
      (manifest, folder) =>
        forge(manifest, folder, 1, (text) => text.replace(/^\d+(.*?"block_height":)\d+/, '1000$11000')),
      /has a block at height 1000, but it should have heights from 2 to 3/,
    ],
    [
      'no last block',
      (manifest, folder) => forge(manifest, folder, 1, (text) => text.slice(0, text.indexOf('\n') + 1)),
      /does not have its last block/,
    ],
    [
      'a run of blocks with too many facts',
      (manifest, folder) => forge(manifest, folder, 0, (text) => text.replace('"blocks":1', '"blocks":4294967295')),
      /another number of facts than of hashes/,
    ],
    ['less text than it states', signed((part) => part.text_bytes++), /has less text than its manifest states/],
    ['no blocks', signed((part) => (part.blocks = 0)), /part 2 has no blocks/],
    ['too few blocks', signed((part) => part.blocks--), /has more blocks than its manifest states/],
    ['too many blocks', signed((part) => part.blocks++), /has fewer blocks than its manifest states/],
    [
      'a final part after others',
      signed((part) => (part.is_final = true)),
      /part 2 is final, but follows a part that is not/,
    ],
    [
      'many copies of a line',
      (manifest, folder) => forge(manifest, folder, 1, (text) => text.repeat(1_000)),
      /has too many lines for its blocks/,
    ],
    [
      'many empty frames',
      (manifest, folder) => {
        const part = manifest.parts[1] as Part;
        const bytes = Buffer.concat([
          readFileSync(join(folder, part.file)),
          ...Array(1_000).fill(zstdCompressSync('')),
        ]);
        part.sha256 = createHash('sha256').update(bytes).digest('hex');
        part.file = seedPartName(part.first, part.last, part.sha256);
        part.bytes = bytes.length;
        writeFileSync(join(folder, part.file), bytes);
        sign(manifest);
      },
      /has data after its compressed data/,
    ],
    [
      'another format',
      (manifest) => {
        Object.assign(manifest, { format: 'stxpress-seed-9' });
      },
      /its format is not stxpress-seed-3/,
    ],
  ])('refuses %s', async (_, change, message) => {
    expectRefused(await index(tempFolder(), '--seed', changed(change)), message);
  });

  test('reads an honest seed after a refused one', async () => {
    const cwd = tempFolder();
    const folder = changed(({ parts }, folder) => writeFileSync(join(folder, parts[1]?.file ?? ''), 'damaged'));
    expectRefused(await index(cwd, '--seed', folder), 'does not have the bytes that the manifest states');
    okOf(await index(cwd, '--seed', honest));
    expect(await siteOf(join(cwd, 'i.sqlite'))).toEqual(await siteOfArchive());
  });

  test.each([
    ['index_block_hash', `0x${'00'.repeat(32)}`],
    ['is_final', true],
    ['first', 5],
    ['last', 8],
    ['blocks', 7],
    ['bytes', 7],
    ['text_bytes', 7],
    ['sha256', '00'.repeat(32)],
  ] as const)('refuses a manifest whose hash does not cover %s', async (key, value) => {
    const folder = changed(({ parts }) => Object.assign(parts.at(-1) as Part, { [key]: value }));
    const message = /the hash of part \d is wrong|has the wrong file name/;
    expectRefused(await index(tempFolder(), '--seed', folder), message);
  });

  test.each(Object.keys({ ...PART, format: 0, tip: 0, parts: 0, chain_id: 0 }))(
    'refuses a manifest without %s, or with another type',
    async (key) => {
      for (const value of [undefined, {}, -1, 0.5]) {
        const folder = changed((manifest) =>
          Object.assign(key in PART ? (manifest.parts[0] as Part) : manifest, { [key]: value }),
        );
        expectRefused(await index(tempFolder(), '--seed', folder), 'is not the manifest of a seed: ');
      }
    },
  );

  test('refuses a seed of another chain, and with another hash, and keeps the blocks above an older seed', async () => {
    const cwd = tempFolder();
    copyIndex(db, join(cwd, 'i.sqlite'));
    okOf(await index(cwd, '--offline'));
    const before = await siteOf(join(cwd, 'i.sqlite'));
    const other = changed((manifest) => Object.assign(manifest, { chain_id: 1 }));
    expectRefused(await index(cwd, '--seed', other), /belongs to chain 0x00000001, but the index holds/);
    const older = changed((manifest) => {
      manifest.parts.splice(-1);
      const { last = 0, index_block_hash } = manifest.parts.at(-1) ?? {};
      Object.assign(manifest, { tip: { block_height: last, index_block_hash } });
    });
    okOf(await index(cwd, '--offline', '--seed', older));
    expectRefused(
      await index(cwd, '--seed', honest, '--seed-hash', '00'.repeat(32)),
      /No part of the seed .* has the hash 0{64}/,
    );
    expect(await siteOf(join(cwd, 'i.sqlite'))).toEqual(before);
  });

  test('uses no interface that its source contradicts, and recognizes tokens without interfaces', async () => {
    const served = async (lie: (text: string) => string) => {
      const cwd = tempFolder();
      const folder = changed((manifest, folder) => {
        for (const at of manifest.parts.keys()) forge(manifest, folder, at, lie);
      });
      okOf(await index(cwd, '--seed', folder));
      return siteOf(join(cwd, 'i.sqlite'));
    };
    const drain = '{"name":"drain-all","access":"public","args":[],"outputs":{"type":"none"}},';
    const contradicted = await served((text) => text.replaceAll('"functions":[{', `"functions":[${drain}{`));
    const missing = await served((text) => text.replace(/,"contract_interface":\{.*?\}(?=,"event_digests")/g, ''));
    expect([...contradicted.values()].some((body) => body.includes('"drain-all"'))).toBe(false);
    const tokens = (site: Map<string, string>) => JSON.parse(site.get('metadata/v1/index.json') ?? '').token_contracts;
    const expected = tokens(await siteOfArchive());
    expect([tokens(contradicted), tokens(missing)]).toEqual([expected, expected]);
  });

  test('reads only up to the part with the hash', async () => {
    const cwd = tempFolder();
    const [first] = manifestOf(honest).parts;
    okOf(await index(cwd, '--seed', honest, '--seed-hash', first?.hash ?? ''));
    // A run without a source reads nothing more.
    okOf(await index(cwd));
    const { stdout } = await runWarm(['status', '--db', 'i.sqlite', '--json'], { cwd });
    expect(JSON.parse(stdout)).toMatchObject({ blocks: { canonical: first?.blocks } });
  });
});

test('refuses a final part whose blocks are not a chain', async () => {
  const cwd = tempFolder();
  const [final, out] = [join(cwd, 'final.sqlite'), join(cwd, 'final-seed')];
  await indexInto(final, { archives: [SAMPLE_ARCHIVE], finalBlocks: 1 });
  const { manifest } = await seedOf({ db: final, archives: [SAMPLE_ARCHIVE], out });
  expect(manifest.parts.map((part) => part.is_final)).toEqual([true, false, false, false]);
  okOf(await index(cwd, '--seed', out));
  expect(await siteOf(join(cwd, 'i.sqlite'))).toEqual(await siteOfArchive());
  for (const [at, lie] of [
    [
      0,
      (text: string) =>
        text
          .split(/(?<=\n)/)
          .toReversed()
          .join(''),
    ],
    [0, (text: string) => text.slice(text.indexOf('\n') + 1)],
  ] as const) {
    const folder = changed((manifest, folder) => forge(manifest, folder, at, lie), out);
    const message = /that is not the child of the block before it|has fewer blocks than its manifest states/;
    expectRefused(await index(tempFolder(), '--seed', folder), message);
  }
});

async function siteOfArchive() {
  const cwd = tempFolder();
  okOf(await index(cwd, '--archive', SAMPLE_ARCHIVE));
  return siteOf(join(cwd, 'i.sqlite'));
}

/** Serves the seed at /seed/. `handle` returns true if it responds itself. */
function serveSeed(handle: (name: string, response: ServerResponse) => boolean = () => false) {
  return loopbackServer((request, response) => {
    const name = request.url?.slice('/seed/'.length) ?? '';
    if (handle(name, response)) return;
    if (readdirSync(honest).includes(name)) response.end(readFileSync(join(honest, name)));
    else response.writeHead(404).end();
  });
}

describe('a seed at a site', () => {
  test.each<[string, (response: ServerResponse) => void, RegExp, number]>([
    [
      'has no end',
      (response) => void setInterval(() => response.write('0'.repeat(100_000)), 1).unref(),
      /larger than/,
      1,
    ],
    [
      'is cut off',
      (response) => response.writeHead(200, { 'content-length': 5_000 }).write('0', () => response.destroy()),
      /./,
      75,
    ],
    [
      'redirects',
      (response) => void response.writeHead(302, { location: 'http://10.0.0.1/x' }).end(),
      /http:\/\/10\.0\.0\.1\/x\b/,
      1,
    ],
    [
      'redirects on its own site',
      (response) => void response.writeHead(301, { location: '/new/part' }).end(),
      /status 301\. It redirects to http:\/\/127\.0\.0\.1:\d+\/new\/part\. Pass that URL instead/,
      1,
    ],
    ['is missing', (response) => void response.writeHead(404).end(), /status 404/, 1],
    ['is denied', (response) => void response.writeHead(403).end(), /status 403/, 1],
    ['is an error', (response) => void response.writeHead(500).end(), /status 500/, 75],
  ])('refuses a part that %s, and continues later', async (_, respond, message, status) => {
    const cwd = tempFolder();
    let isHostile = true;
    const second = manifestOf(honest).parts[1]?.file;
    const { url } = await serveSeed((name, response) => {
      if (!isHostile || name !== second) return false;
      respond(response);
      return true;
    });
    expectRefused(await index(cwd, '--seed', url), message, status);
    isHostile = false;
    // A run without a source continues with the seed.
    okOf(await index(cwd));
    expect(await siteOf(join(cwd, 'i.sqlite'))).toEqual(await siteOfArchive());
  });

  test('refuses a site that redirects to another one, or that has no seed', async () => {
    const cwd = tempFolder();
    const other = await serveSeed();
    const redirecting = await loopbackServer((request, response) => {
      response.writeHead(301, { location: `${other.url}${request.url}` }).end();
    });
    expectRefused(
      await index(cwd, '--seed', redirecting.url),
      `redirects to ${other.url}/seed. Pass that URL instead.`,
    );
    okOf(await index(tempFolder(), '--seed', `${other.url}/seed`));
    const { url } = await loopbackServer((_, response) => void response.writeHead(404).end());
    expectRefused(await index(cwd, '--seed', url), `There is no seed at ${url}/seed/index.json (status 404)`);
    const secure = url.replace('http:', 'https:');
    expectRefused(await index(cwd, '--seed', secure), /does not use TLS .* use http:\/\/ in its URL\. Check the URL\./);
  });

  test('reads the manifest again if a part was replaced meanwhile', async () => {
    const cwd = tempFolder();
    const old = changed((manifest, folder) => forge(manifest, folder, 2, (text) => text));
    let reads = 0;
    const { url } = await serveSeed((name, response) => {
      if (name !== SEED_MANIFEST || reads++ > 0) return false;
      response.end(readFileSync(join(old, SEED_MANIFEST)));
      return true;
    });
    okOf(await index(cwd, '--seed', url));
    expect(reads).toBe(2);
    expect(await siteOf(join(cwd, 'i.sqlite'))).toEqual(await siteOfArchive());
  });
});

describe('a seed that was not read to its end', () => {
  /** Starts to read a seed at a site, whose second part is missing or fails until `repair` is called. */
  async function begin(status: number) {
    const cwd = tempFolder();
    let isBroken = true;
    const second = manifestOf(honest).parts[1]?.file;
    const { url } = await serveSeed((name, response) => {
      if (!isBroken || name !== second) return false;
      response.writeHead(status).end();
      return true;
    });
    expect((await index(cwd, '--seed', url)).status).not.toBe(0);
    const unfinished = async () => {
      const { stdout } = await runWarm(['status', '--db', 'i.sqlite', '--json'], { cwd });
      return JSON.parse(stdout).unfinishedSeed as { readonly location: string } | null;
    };
    const repair = () => {
      isBroken = false;
    };
    return { cwd, url, repair, unfinished };
  }

  test('a later run reports a temporary failure with its status, and goes on with other work', async () => {
    const { cwd, url, repair, unfinished } = await begin(500);
    const later = await index(cwd);
    expect(later.status).toBe(75);
    expect(later.stderr).toMatch(/was not read to its end: .* status 500\. .* The next run will try again\./);
    expect(later.stdout).toContain('The seed was not read to its end.');
    expect(await unfinished()).toEqual({ location: url });
    repair();
    okOf(await index(cwd));
    expect(await unfinished()).toBeNull();
  });

  test('a permanent failure ends the run that continues, and later runs read the seed only by its name', async () => {
    const { cwd, url, repair, unfinished } = await begin(403);
    const later = await index(cwd);
    expect([later.status, later.stdout]).toEqual([1, expect.stringContaining('The seed was not read to its end.')]);
    expect(later.stderr).toMatch(/ status 403.* Name it with --seed to read it again\./);
    expect(await unfinished()).toBeNull();
    repair();
    okOf(await index(cwd, '--seed', url));
    expect(await siteOf(join(cwd, 'i.sqlite'))).toEqual(await siteOfArchive());
  });

  test('stays known in runs with another source, and with a seed that cannot be read', async () => {
    const { cwd, url, repair, unfinished } = await begin(500);
    okOf(await index(cwd, '--archive', SAMPLE_ARCHIVE));
    const other = await loopbackServer((_, response) => void response.writeHead(404).end());
    expectRefused(await index(cwd, '--seed', other.url), 'There is no seed at');
    expect((await unfinished())?.location).toBe(url);
    repair();
    okOf(await index(cwd));
    expect(await unfinished()).toBeNull();
  });
});

test('a seed that is refused creates no index, and replaces none', async () => {
  const cwd = tempFolder();
  const wrong = ['--seed', honest, '--seed-hash', '00'.repeat(32)];
  expectRefused(await index(cwd, ...wrong), 'No part of the seed');
  expect(readdirSync(cwd)).toEqual([]);
  okOf(await index(cwd, '--archive', SAMPLE_ARCHIVE));
  const before = readdirSync(cwd);
  expectRefused(await index(cwd, '--rebuild', ...wrong), 'No part of the seed');
  expectRefused(await index(cwd, '--rebuild', '--seed', 'nothing'), 'There is no seed at nothing');
  expect(readdirSync(cwd)).toEqual(before);
});

test('accepts the hash of a part in capitals and with 0x', async () => {
  const cwd = tempFolder();
  const hash = manifestOf(honest).parts.at(-1)?.hash ?? '';
  okOf(await index(cwd, '--seed', honest, '--seed-hash', `0x${hash.toUpperCase()}`));
});
