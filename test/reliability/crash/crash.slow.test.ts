// Kills commands and cuts their power. The served files must be intact at every moment, and the next run must end like
// a run without interruptions. Each scenario is recorded once, for both kinds of tests.
//
// Half of SOAK_SECONDS is for kills at random operations. The other half is for power cuts at every step and at random
// operations. Set CRASH_SEED to the seed of a failure to repeat it.
import { beforeAll, describe } from 'vitest';
import { tempFolderForFile } from '../../support/temp-folder.ts';
import { makeCrashWorld, type RecordedWorld, recordScenarios } from './crash-world.ts';
import { testKills } from './kills.ts';
import { testPowerCuts } from './power-cuts.ts';
import { reasonForNoWatchedRuns } from './watched-run.ts';

const reason = reasonForNoWatchedRuns();
const root = tempFolderForFile();

describe.skipIf(reason !== undefined)(`crash${reason === undefined ? '' : ` (not run: ${reason})`}`, () => {
  let recorded: RecordedWorld;

  beforeAll(async () => {
    recorded = await recordScenarios(await makeCrashWorld(root));
  });

  describe('killed', () => testKills(() => recorded));
  describe('power cut', () => testPowerCuts(() => recorded));
});
