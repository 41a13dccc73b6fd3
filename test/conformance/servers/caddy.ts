// Starts Caddy with the site's Caddyfile.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from './find-program.ts';
import type { ConformanceServer } from './running-host.ts';
import { readReplaced, startProcess } from './server-process.ts';

const SITE_ADDRESS = /^:8080 \{/gm;
const GLOBAL_OPTIONS = '{\n\tadmin off\n\tdefault_bind 127.0.0.1\n}\n';

export const caddy: ConformanceServer = {
  name: 'caddy',
  start: ({ hosts }) =>
    startProcess('caddy', ({ port, folder }) => {
      const source = join(hosts, 'caddy', 'Caddyfile');
      const config = join(folder, 'Caddyfile');
      const sites = readReplaced(source, SITE_ADDRESS, `:${port} {`);
      writeFileSync(config, GLOBAL_OPTIONS + sites);
      return {
        program: findProgram('caddy'),
        args: ['run', '--config', config, '--adapter', 'caddyfile'],
        env: { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
      };
    }),
};
