// Loaded before the command: the process is killed when half of the file number $DIE_AT_WRITE is written.
import { promises } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { open } = promises;
let writes = 0;
promises.open = async (...args) => {
  const file = await open(...args);
  const { writeFile } = file;
  file.writeFile = async (body) => {
    if (++writes !== Number(process.env.DIE_AT_WRITE)) return writeFile.call(file, body);
    await writeFile.call(file, body.subarray(0, body.length / 2));
    process.kill(process.pid, 'SIGKILL');
    return new Promise(() => {});
  };
  return file;
};
syncBuiltinESMExports();
