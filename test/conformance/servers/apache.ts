// Starts Apache with the site's .htaccess and a configuration like Debian's. Enables mod_rewrite and mod_headers.
import { chmodSync, existsSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { findProgram } from './find-program.ts';
import type { ConformanceServer } from './running-host.ts';
import { startProcess } from './server-process.ts';

const MODULE_FOLDER = '/usr/lib/apache2/modules';
const MODULES =
  'mpm_event authz_core mime negotiation dir autoindex alias env setenvif headers rewrite filter deflate expires';
/**
 * Debian's rules for file extensions, but only languages and character sets with an extension in `TYPE_NAMES`. Upgraded
 * installations of Debian also have the encodings.
 */
const DEBIAN_NAMES = `AddEncoding x-compress .Z
AddEncoding x-gzip .gz .tgz
AddEncoding br .br
AddType application/x-compress .Z
AddType application/x-gzip .gz .tgz
AddType application/x-bzip2 .bz2
AddType text/html .shtml
AddHandler type-map var
RemoveType es tr
AddLanguage br .br
AddLanguage de .de
AddLanguage fr .fr
AddCharset UTF-8 .utf8
LanguagePriority en ca cs da de el eo es et fr he hr it ja ko ltz nl nn no pl pt pt-BR ru sv tr zh-CN zh-TW
ForceLanguagePriority Prefer Fallback
AddOutputFilterByType DEFLATE text/html text/plain text/xml text/css text/javascript
AddOutputFilterByType DEFLATE application/x-javascript application/javascript application/ecmascript
AddOutputFilterByType DEFLATE application/rss+xml application/wasm application/xml`;
const OTHERS_MAY_ENTER = 0o001;

export const apache: ConformanceServer = {
  name: 'apache',
  start: ({ dist }) =>
    startProcess('apache', ({ port, folder }) => {
      if (isRoot()) for (const path of [folder, dist]) letOthersIn(path);
      const config = join(folder, 'httpd.conf');
      writeFileSync(config, mainConfig(dist, folder, port));
      return { program: findProgram('apache2'), args: ['-d', folder, '-f', config, '-D', 'FOREGROUND'] };
    }),
};

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** Lets other users enter a test folder, because Apache serves as another user if root starts it. */
function letOthersIn(folder: string): void {
  for (let path = realpathSync(folder); path !== dirname(path); path = dirname(path)) {
    const { mode } = statSync(path);
    if ((mode & OTHERS_MAY_ENTER) !== 0) continue;
    // Only temporary folders of tests are opened.
    if (!basename(path).startsWith('stxpress-'))
      throw new Error(`Apache cannot enter ${path}. Run the tests as a user other than root.`);
    chmodSync(path, mode | OTHERS_MAY_ENTER);
  }
}

function mainConfig(dist: string, folder: string, port: number): string {
  const load = MODULES.split(' ')
    .map((name) => `LoadModule ${name}_module ${MODULE_FOLDER}/mod_${name}.so`)
    .join('\n');
  const user = isRoot() ? 'User nobody\nGroup nogroup\n' : '';
  return `${load}
${user}ServerName 127.0.0.1
Listen 127.0.0.1:${port}
DefaultRuntimeDir "${folder}"
PidFile "${folder}/apache.pid"
ErrorLog /dev/stderr
LogLevel warn
StartServers 1
ServerLimit 1
ThreadsPerChild 25
MaxRequestWorkers 25
DocumentRoot "${dist}"
<Directory />
  Options FollowSymLinks
  AllowOverride None
  Require all denied
</Directory>
<Directory "${dist}">
  Options Indexes FollowSymLinks
  AllowOverride All
  Require all granted
</Directory>
AccessFileName .htaccess
<FilesMatch "^\\.ht">
  Require all denied
</FilesMatch>
DirectoryIndex index.html index.cgi index.pl index.php index.xhtml index.htm
TypesConfig ${existsSync('/etc/mime.types') ? '/etc/mime.types' : '/dev/null'}
${DEBIAN_NAMES}
`;
}
