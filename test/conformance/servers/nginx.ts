// Starts nginx with the site's configuration, in an `http` block like the one in Debian's configuration.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from './find-program.ts';
import type { ConformanceServer } from './running-host.ts';
import { readReplaced, startProcess } from './server-process.ts';

const LISTEN = /^([ \t]*)listen 8080;/gm;

export const nginx: ConformanceServer = {
  name: 'nginx',
  start: ({ hosts }) =>
    startProcess('nginx', ({ port, folder }) => {
      const source = join(hosts, 'nginx', 'stxpress.conf');
      const site = join(folder, 'site.conf');
      writeFileSync(site, readReplaced(source, LISTEN, `$1listen 127.0.0.1:${port};`));
      const config = join(folder, 'nginx.conf');
      writeFileSync(config, mainConfig(folder, site));
      return { program: findProgram('nginx'), args: ['-p', folder, '-e', 'stderr', '-c', config] };
    }),
};

function mainConfig(folder: string, site: string): string {
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `  ${name}_temp_path ${folder}/${name};`)
    .join('\n');
  // If root starts nginx, its workers must also run as root. Their default user cannot read the folder of a test.
  const user = process.getuid?.() === 0 ? 'user root;\n' : '';
  return `${user}daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log stderr warn;
events {
  worker_connections 256;
}
http {
${temp}
  sendfile on;
  tcp_nopush on;
  types_hash_max_size 2048;
  include /etc/nginx/mime.types;
  default_type application/octet-stream;
  access_log off;
  gzip on;
  include ${site};
}
`;
}
