// Runs an edge function in Deno with Netlify's bootstrap. Fails requests that need more CPU time than Netlify
// documents.
// Arguments: the URL of the bootstrap, the URL of the function, `--port` and a port.
import process from 'node:process';

const MAX_CPU_MS = 50;
const [bootstrap = '', file = ''] = globalThis.Deno.args;
const { boot } = await import(bootstrap);
const { default: edgeFunction } = await import(file);

/**
 * Wraps the function, and limits the CPU time of each request. Measures the process, since the suite sends one request
 * at a time.
 */
const limited = async (/** @type {Request} */ request, /** @type {object} */ context) => {
  const before = process.cpuUsage();
  const response = await edgeFunction(request, context);
  const { user, system } = process.cpuUsage(before);
  const ms = (user + system) / 1000;
  if (ms > MAX_CPU_MS) throw new Error(`${request.url} took ${ms} ms of CPU time; the limit is ${MAX_CPU_MS}`);
  return response;
};
await boot(async () => ({ stxpress: limited }));
