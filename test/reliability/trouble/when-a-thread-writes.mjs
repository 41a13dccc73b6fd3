// Preloaded into the command: runs the shell command of the environment's TROUBLE before a thread makes its first
// folder.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { isMainThread } from 'node:worker_threads';

if (!isMainThread) {
  const { mkdirSync } = fs;
  fs.mkdirSync = (...args) => {
    fs.mkdirSync = mkdirSync;
    syncBuiltinESMExports();
    spawnSync(process.env.TROUBLE ?? 'false', { shell: true, stdio: 'ignore' });
    return mkdirSync(...args);
  };
  syncBuiltinESMExports();
}
