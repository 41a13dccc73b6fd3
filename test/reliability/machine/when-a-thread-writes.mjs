// Runs the shell command in COMMAND, an environment variable, just before a thread makes its first folder. The tested
// command preloads this file.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { isMainThread } from 'node:worker_threads';

if (!isMainThread) {
  const { mkdirSync } = fs;
  fs.mkdirSync = (...args) => {
    fs.mkdirSync = mkdirSync;
    syncBuiltinESMExports();
    spawnSync(process.env.COMMAND ?? 'false', { shell: true, stdio: 'ignore' });
    return mkdirSync(...args);
  };
  syncBuiltinESMExports();
}
