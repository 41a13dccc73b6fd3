// Starts a server at the host and port of the options. Throws a failure with a remedy if it cannot listen.
import { once } from 'node:events';
import type { Server } from 'node:http';
import { stop } from '#model/failure.ts';

/** The maximum number of connections that wait until the event loop accepts them. Systems may allow fewer. */
const BACKLOG = 4_096;

interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/**
 * Resolves when the server listens. `flags`: the options that choose another host or port, for messages. Throws
 * FailureError `port-in-use` or `usage`.
 */
export async function listen(
  server: Server,
  { host, port }: Endpoint,
  flags: Record<keyof Endpoint, string>,
): Promise<void> {
  server.listen({ port, host, backlog: BACKLOG });
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    const { code, message: reason } = error;
    if (code === 'EADDRINUSE')
      throw stop(
        'port-in-use',
        `Port ${port} of ${host} is in use by another program. Choose another with ${flags.port}.`,
        error,
      );
    const message =
      code === 'EACCES'
        ? `This user may not open port ${port}. Choose a port above 1023 with ${flags.port}.`
        : code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND'
          ? `${host} is not an address of this machine. Choose another with ${flags.host}.`
          : `Cannot listen at port ${port} of ${host} (${reason}). Choose another with ${flags.port}.`;
    throw stop('usage', message, error);
  });
  // Without this listener, running out of file handles would end the process. Clients that could not connect try again.
  server.on('error', () => {});
}
