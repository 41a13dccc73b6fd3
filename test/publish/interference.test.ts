// Tests publishers that are killed at each request, and several publishers at once, with random builds.
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FailureError } from '#model/failure.ts';
import { runPublish } from '#publish/run-publish.ts';
import type { Target } from '#publish/target.ts';
import { Killed, memoryTarget } from '../support/memory-target.ts';
import { Random } from '../support/random.ts';
import { silentReporter } from '../support/silent-reporter.ts';
import { limitOf, rounds } from '../support/soak.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { danglingIn, putSite, randomSite, type SmallSite } from './small-site.ts';

type Outcome = 'done' | 'killed' | 'locked' | 'failed';

const FOREIGN = new Map([
  ['mine.txt', 'mine'],
  ['images/logo.png', 'mine'],
]);

async function publishTo(target: Target, out: string): Promise<Outcome> {
  const options = { concurrency: 3, maxDeletes: 1_000, replace: true, reporter: silentReporter };
  try {
    await runPublish({ ...options, out, target, signal: new AbortController().signal });
    return 'done';
  } catch (error) {
    if (error instanceof Killed) return 'killed';
    if (!(error instanceof FailureError) || !error.failure.retryable) throw error;
    return error.failure.code === 'locked' ? 'locked' : 'failed';
  }
}

const NEVER = { killed: 0, failed: 0 };

/** Returns the objects that are not the state of publishers, by key. */
const contentOf = (objects: ReadonlyMap<string, string>) =>
  Object.fromEntries([...objects].filter(([key]) => !key.startsWith('.stxpress/')));

/** The probability that a request fails, and that the publisher is killed at a request. */
interface Share {
  readonly killed: number;
  readonly failed: number;
}

class Publisher {
  readonly out = join(tempFolder(), 'dist');
  site: SmallSite = new Map();
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  async build(): Promise<void> {
    this.site = randomSite(this.#random);
    await putSite(this.out, this.site);
  }

  publish(objects: Map<string, string>, share: Share, out = this.out): Promise<Outcome> {
    const random = this.#random;
    const happens = () => {
      const when = random.chance(0.5) ? ('before' as const) : ('after' as const);
      if (random.chance(share.killed)) return `killed ${when}` as const;
      return random.chance(share.failed) ? (`failed ${when}` as const) : undefined;
    };
    const maxTurns = random.pick([0, 1, 5, 20, 80]);
    return publishTo(memoryTarget(objects, { random, maxTurns, happens }), out);
  }

  /** Publishes from a copy of the local record to a copy of the objects, and checks these. No other publisher runs. */
  async checkAlone(before: ReadonlyMap<string, string>, message: string): Promise<void> {
    const [objects, out] = [new Map(before), join(tempFolder(), 'dist')];
    cpSync(this.out, out, { recursive: true });
    expect(await this.publish(objects, NEVER, out), message).toBe('done');
    expect(contentOf(objects), message).toEqual(Object.fromEntries([...this.site, ...FOREIGN]));
    rmSync(out, { recursive: true });
  }
}

test(
  'a publish that is killed at any request, or two in a row, leaves no dangling reference',
  async () => {
    for (const seed of rounds(3)) {
      const random = new Random(seed);
      const sites = Array.from({ length: 3 }, () => randomSite(random));
      const options = { random, maxTurns: 0 };
      let isOver = false;
      for (let request = 1; !isOver; request++) {
        const [objects, out] = [new Map(FOREIGN), join(tempFolder(), 'dist')];
        const check = (name: string) =>
          expect(danglingIn(objects), `SEED=${seed}, killed at request ${request}, after ${name}`).toEqual([]);
        const when = random.chance(0.5) ? 'before' : 'after';
        for (const [index, site] of sites.entries()) {
          let left = index === 0 ? 0 : request;
          const happens = () => (--left === 0 ? (`killed ${when}` as const) : undefined);
          await putSite(out, site);
          isOver =
            (await publishTo(memoryTarget(objects, { ...options, happens }, check), out)) === 'done' && index > 0;
          if (random.chance(0.2)) rmSync(join(out, '.stxpress/published'), { recursive: true, force: true });
        }
        const alone = memoryTarget(objects, { ...options, happens: () => undefined }, check);
        expect(await publishTo(alone, out)).toBe('done');
        expect(contentOf(objects)).toEqual(Object.fromEntries([...FOREIGN, ...(sites[2] ?? [])]));
      }
    }
  },
  limitOf(10),
);

test.each([
  ['without failures', NEVER],
  ['with failures', { killed: 0, failed: 0.03 }],
  ['with kills', { killed: 0.02, failed: 0 }],
  ['with both', { killed: 0.01, failed: 0.02 }],
])(
  'several publishers at once %s: later, each one can publish its build',
  async (_, share) => {
    const outcomes: Outcome[] = [];
    for (const seed of rounds(30)) {
      const [random, objects] = [new Random(seed), new Map(FOREIGN)];
      const publishers = Array.from({ length: random.within(2, 3) }, () => new Publisher(random));
      for (const publisher of publishers) await publisher.build();
      // One of them has a local record that is current at the beginning.
      await publishers[0]?.publish(objects, NEVER);
      const last = await Promise.all(
        publishers.map(async (publisher) => {
          let outcome: Outcome = 'done';
          for (let run = random.within(1, 2); run > 0; run--) {
            if (random.chance(0.8)) await publisher.build();
            outcome = await publisher.publish(objects, share);
            outcomes.push(outcome);
          }
          return outcome;
        }),
      );
      // Killed and failed publishes are repeated first, since these may have changed files of the others unnoticed.
      for (const [index, publisher] of publishers.entries())
        if (last[index] === 'killed' || last[index] === 'failed') await publisher.publish(objects, NEVER);
      for (const [index, publisher] of publishers.entries())
        await publisher.checkAlone(objects, `SEED=${seed}, publisher ${index}`);
    }
    // Many publishers must have met, and some of them must have ended well.
    const shareOf = (name: Outcome) => outcomes.filter((outcome) => outcome === name).length / outcomes.length;
    expect(Math.min(shareOf('locked'), shareOf('done'))).toBeGreaterThan(0.05);
  },
  limitOf(20),
);
