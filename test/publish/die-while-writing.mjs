// Kills the process that preloads this file: in the middle of the write with the number $DIE_AT_WRITE, or before the
// rename with the number $DIE_AT_RENAME.
import fs, { promises } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { open } = promises;
const { writeFileSync, renameSync } = fs;
const counts = { DIE_AT_WRITE: 0, DIE_AT_RENAME: 0 };
const isLast = (name) => ++counts[name] === Number(process.env[name]);
const halfOf = (body) => body.subarray(0, body.length / 2);
const die = () => {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => {});
};

promises.open = async (...args) => {
  const file = await open(...args);
  const write = file.writeFile.bind(file);
  file.writeFile = async (body) => {
    if (!isLast('DIE_AT_WRITE')) return write(body);
    await write(halfOf(body));
    return die();
  };
  return file;
};
fs.writeFileSync = (path, body) => {
  if (!`${path}`.endsWith('.part') || !isLast('DIE_AT_WRITE')) return writeFileSync(path, body);
  writeFileSync(path, halfOf(body));
  return die();
};
fs.renameSync = (...args) => (isLast('DIE_AT_RENAME') ? die() : renameSync(...args));
syncBuiltinESMExports();
