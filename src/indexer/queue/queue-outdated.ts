// Queues evaluated tokens for another evaluation if the VM or the tip has changed since the last run.
import { readTip } from '#store/chain/blocks.ts';
import { readTipEpoch } from '#store/contracts/tip-epoch.ts';
import type { StoreWriter } from '#store/index-database.ts';
import { readInfo, writeInfo } from '#store/index-info.ts';
import { queueEvaluated, queueHeightDependent } from '#store/replay/evaluation-inputs.ts';

export async function queueOutdated(store: StoreWriter, vmVersion: string): Promise<void> {
  const {
    vmVersion: versionBefore = vmVersion,
    tipEpoch: epochBefore,
    tipHeights: heightsBefore,
  } = await readInfo(store);
  const tip = await readTip(store);
  const tipHeights = tip && `${tip.height} ${tip.tenureHeight} ${tip.burnBlockHeight}`;
  const tipEpoch = await readTipEpoch(store);
  if (vmVersion !== versionBefore || tipEpoch !== epochBefore) await queueEvaluated(store);
  else if (tipHeights !== heightsBefore) await queueHeightDependent(store);
  await writeInfo(store, { vmVersion, tipEpoch, tipHeights });
}
