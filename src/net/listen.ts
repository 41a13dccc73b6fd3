// Has a server listen where a flag says, or says why it cannot.
import { once } from 'node:events';
import type { Server } from 'node:http';
import { stop } from '#model/failure.ts';

/** The maximum number of connections that wait until the event loop accepts them; systems may allow fewer. */
const BACKLOG = 4_096;

interface Place {
  readonly host: string;
  readonly port: number;
}

/** Resolves when it listens. `flags`: which ones name another place. Throws FailureError `port-in-use` or `usage`. */
export async function listen(server: Server, { host, port }: Place, flags: Record<keyof Place, string>): Promise<void> {
  server.listen({ port, host, backlog: BACKLOG });
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    const { code, message } = error;
    if (code === 'EADDRINUSE')
      throw stop(
        'port-in-use',
        `Port ${port} of ${host} is in use by another program. Choose another with ${flags.port}.`,
        error,
      );
    const why =
      code === 'EACCES'
        ? `Port ${port} may not be opened by this user. Choose one above 1023 with ${flags.port}.`
        : code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND'
          ? `${host} is no address of this machine. Choose another with ${flags.host}.`
          : `Nothing can listen at port ${port} of ${host} (${message}). Choose another with ${flags.port}.`;
    throw stop('usage', why, error);
  });
  // Without a listener, running out of file handles would end the process; who could not connect comes again.
  server.on('error', () => {});
}
