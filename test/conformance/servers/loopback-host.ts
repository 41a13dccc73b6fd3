// Starts a server on loopback that sends the responses of a function.
import type { IncomingMessage } from 'node:http';
import { loopbackServer } from '../../support/loopback-server.ts';
import { type Compressed, type Reply, requestListener } from './reply.ts';
import type { RunningHost } from './running-host.ts';

export async function startLoopback(
  respondTo: (request: IncomingMessage) => Promise<Reply>,
  compressed: Compressed,
): Promise<RunningHost> {
  const close = Promise.withResolvers<() => void>();
  const { url } = await loopbackServer(requestListener(respondTo, compressed), close.resolve);
  return { origin: url, stop: async () => (await close.promise)() };
}
