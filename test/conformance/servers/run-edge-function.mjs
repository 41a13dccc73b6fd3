// Runs an edge function in Deno, on the program in which Netlify runs functions, within the CPU time that Netlify
// documents. Arguments: the URL of that program, the URL of the function, `--port` and a port.
import process from 'node:process';

const MAX_CPU_MS = 50;
const [bootstrap = '', file = ''] = globalThis.Deno.args;
const { boot } = await import(bootstrap);
const { default: edgeFunction } = await import(file);

/** Requests of the suite come one after the other: all processor time is that of the request. */
const limited = async (/** @type {Request} */ request, /** @type {object} */ context) => {
  const before = process.cpuUsage();
  const response = await edgeFunction(request, context);
  const { user, system } = process.cpuUsage(before);
  const ms = (user + system) / 1000;
  if (ms > MAX_CPU_MS) throw new Error(`${request.url} took ${ms} ms of processor time, of ${MAX_CPU_MS}`);
  return response;
};
await boot(async () => ({ stxpress: limited }));
