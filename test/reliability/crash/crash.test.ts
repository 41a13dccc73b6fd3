// Kills commands and cuts their power: what is served is whole at every instant, and the next run ends as one that
// nothing disturbed. Each scenario is run and recorded once for both.
//
// For half of SOAK_SECONDS, random operations are killed; for the other half, at every step and random ones, the power
// is cut. CRASH_SEED begins with the seed of a failure.
import { beforeAll, describe } from 'vitest';
import { tempFolderForFile } from '../../support/temp-folder.ts';
import { makeCrashWorld, type RecordedWorld, recordScenarios } from './crash-world.ts';
import { testKills } from './kills.ts';
import { testPowerCuts } from './power-cuts.ts';
import { whyNoWatchedRuns } from './watched-run.ts';

const reason = whyNoWatchedRuns();
const root = tempFolderForFile();

describe.skipIf(reason !== undefined)(`crash${reason === undefined ? '' : ` (not run: ${reason})`}`, () => {
  let recorded: RecordedWorld;

  beforeAll(async () => {
    recorded = await recordScenarios(await makeCrashWorld(root));
  });

  describe('killed', () => testKills(() => recorded));
  describe('power cut', () => testPowerCuts(() => recorded));
});
