// Preloaded into the command: runs the shell command of the environment's TROUBLE whenever a thread starts, before the thread does anything.
import { spawnSync } from 'node:child_process';
import { isMainThread } from 'node:worker_threads';

if (!isMainThread) spawnSync(process.env.TROUBLE ?? 'false', { shell: true, stdio: 'ignore' });
