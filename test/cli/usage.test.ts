// Tests invalid settings on the command line, in variables and in the configuration file. The error names the setting,
// and no file is written.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ALL_OPTIONS } from '#cli/options.ts';
import { HOSTS } from '#hosts/all.ts';
import { runWarm } from '../support/run-cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

interface Settings {
  readonly env?: Readonly<Record<string, string>>;
  /** The content of the configuration file. */
  readonly config?: string;
}

const CONFIG = 'stxpress.config.json';
const ALL_HOSTS = HOSTS.map(({ name }) => name).join(', ');
/** The URL of an API that no command should connect to. */
const API = 'http://127.0.0.1:9';

/** Runs a command in a folder that contains only the configuration file. The arguments are separated by spaces. */
async function runWith(command: string, { config, env = {} }: Settings = {}) {
  const cwd = tempFolder();
  if (config !== undefined) writeFileSync(join(cwd, CONFIG), config);
  // In an argument, a plus stands for a space.
  const args = command === '' ? [] : command.split(' ').map((word) => word.replaceAll('+', ' '));
  const result = await runWarm(args, { cwd, env });
  expect(result).toMatchObject({ status: 1, stdout: '' });
  expect(readdirSync(cwd).filter((name) => name !== CONFIG)).toEqual([]);
  return result.stderr;
}

test('gives each option a different variable and configuration key', () => {
  expect(new Set(ALL_OPTIONS.map(({ variable }) => variable)).size).toBe(ALL_OPTIONS.length);
  expect(new Set(ALL_OPTIONS.map(({ key }) => key)).size).toBe(ALL_OPTIONS.length);
});

test.each<[string, string, string?]>([
  ['index --ofline', "unknown option '--ofline'", '--offline'],
  ['bild', "unknown command 'bild'", 'build'],
  ['build --only nfts', '--only <WHAT>', "'nfts' is invalid. Allowed choices are tokens, ft, nft, sft."],
  ['serve --port http', '--port <PORT>', "'http' is invalid. Use a whole number from 0 to 65535."],
  ['serve --port 70000', '--port <PORT>', "'70000' is invalid. Use a whole number from 0 to 65535."],
  ['build --public-url example.org', '--public-url is "example.org"', 'https://'],
  ['index events.tsv', 'too many arguments'],
  ['build', 'There is no index at data/index.sqlite', 'npm run index'],
  ['status', 'There is no index at data/index.sqlite', 'npm run index'],
  ['serve', 'There is no build in dist', 'npm run build\n'],
  ['serve --out my+site', 'There is no build in my site', "npm run build -- --out 'my site'\n"],
  ["build --db my+'index'", "There is no index at my 'index'", String.raw`-- --db 'my '\''index'\'''`],
  ['index --archive missing.tsv', 'missing.tsv cannot be read', 'no such file'],
  ['index --archive .', '. is a folder', '--archive'],
  ['index --archive - --archive -', '--archive <FILE>', 'Standard input can be read only once.'],
  ['index --ipfs-gateway ipfs.io', '--ipfs-gateway is "ipfs.io"', 'https://'],
  ['index --allow-host http://x/y', '--allow-host is "http://x/y"', 'host:port'],
  ['index --refresh everything', '--refresh [PRINCIPAL...]', 'or no value for every token'],
  ['index --refresh SP2.no-id', '--refresh [PRINCIPAL...]', 'or no value for every token'],
  ['index --concurrency 0', '--concurrency <N>', "'0' is invalid. Use a whole number from 1 to"],
  ['index --max-age 1+week', '--max-age <DURATION>', "'1 week' is invalid. Use a duration such as 90s, 15m, 12h"],
  ['index --db ', '--db <FILE>', "'' is invalid. It must not be empty."],
  ['compare api.hiro.so', 'Use an http or https URL'],
  ['compare http://127.0.0.1:1', 'There is no index at data/index.sqlite'],
  ['show', 'show needs <PRINCIPAL>', 'npm run show -- SM3VDXK3WZZSA84XXFKAFAF15NNZX32CTSG82JFQ4.sbtc-token\n'],
  ['compare', 'compare needs <URL>, the root of the API', 'npm run compare -- https://api.hiro.so\n'],
  ['publish', 'There is no target. Name one with --to'],
  ['publish --to site', '--to is "site". Use s3://bucket'],
  // These names of buckets are rejected before a request is sent.
  ...['..', 'si', 'si..te', 'site-', 'Site', '10.0.0.1', 'a/../site'].map((name): [string, string, string] => [
    `publish --to s3://${name}`,
    `--to is "s3://${name}"`,
    'is not a bucket name',
  ]),
  ...['other/../site', 'other/./x', 'site//x', 'site/x//', 'site/a\nb'].map((to): [string, string, string] => [
    `publish --to s3://${to}`,
    `--to is ${JSON.stringify(`s3://${to}`)}`,
    'Use a prefix without',
  ]),
  ['publish --to file:site', '--to is "file:site". Use s3://bucket or s3://bucket/prefix.'],
  ['follow --node-auth x', '--node-auth needs --node-url'],
  ['follow --listen 0.0.0.0:0', 'Name the machines that may post with --allow-from'],
  ['follow --listen x', '--listen is "x"'],
  ['follow --allow-from 10.0.0.0/99', '--allow-from is "10.0.0.0/99"'],
  ['follow --publish s3://a/../site', '--publish is "s3://a/../site"'],
  ['build --hosts nginx,heroku', '--hosts is "heroku". Use one or more of: ', ALL_HOSTS],
  ['index --db :memory:', '--db <FILE>', "':memory:' is invalid. Use a file"],

  ['index --contracts /dev/null', '--contracts needs --api-url', 'https://api.hiro.so'],
  [`index --contracts /dev/null --node-url ${API}`, '--contracts needs --api-url', 'a node cannot say'],
  [`index --contracts missing.txt --api-url ${API}`, 'missing.txt cannot be read', 'no such file'],
  [`index --contracts - --api-url ${API} --archive -`, 'both name standard input'],
  ['index --discover ft', '--discover needs --api-url', 'https://api.hiro.so'],
  ['index --discover nft', '--discover <WHAT>', "'nft' is invalid. Allowed choices are ft."],
  [`index --offline --api-url ${API}`, '--offline and --api-url contradict each other'],
  [`index --offline --node-url ${API}`, '--offline and --node-url contradict each other'],
  ['index --vm-timeout 999999999', '--vm-timeout', 'from 1 to 86400'],
  ['follow --every 0s', '--every', 'from 1ms to 24h'],
  ['follow --every 30d', '--every', 'from 1ms to 24h'],
  ['index --node-url http://127.0.0.1:9', 'has no contracts yet, and a node cannot list them'],
  ['index --refresh', 'has no contracts yet, and there is nothing to refresh'],
  [
    'build --public-url https://user:hunter2@tokens.example.org',
    '--public-url contains a user name or password. Leave it',
  ],
  ['index --api-url api.hiro.so', '--api-url is "api.hiro.so"', 'Use an http or https URL'],
  ['index --api-url ftp://api.hiro.so', '--api-url is "ftp://api.hiro.so"', 'Use an http or https URL'],
  [`index --api-url ${API}/?limit=1`, `--api-url is "${API}/?limit=1"`, 'Use an http or https URL'],
  [`index --api-url ${API} --rate 0`, '--rate <N>', "'0' is invalid. Use a whole number from 1 to"],
  // The messages of these errors do not repeat the secret.
  ['index --api-url http://user:hunter2@127.0.0.1:9', '--api-url contains a user name or password', '--api-key'],
  ['compare http://user:hunter2@127.0.0.1:9', 'The URL of the API contains a user name or password', '--api-key'],
  ['index --api-url http://user:hunter2@127.0.0.1:9/?limit=1', '--api-url contains a user name or password'],
  [`index --api-url ${API} --api-key hunter2+words`, '--api-key contains invalid characters'],
])('%s', async (command, says, further = '') => {
  const stderr = await runWith(command);
  expect(stderr).toContain(says);
  expect(stderr).toContain(further);
  expect(stderr).not.toMatch(/ {4}at |hunter2/);
});

test.each([
  ['ARCHIV', 'x', 'STXPRESS_ARCHIV is not a setting. All names are in docs/commands.md.'],
  ['OFFLINE', 'perhaps', 'STXPRESS_OFFLINE is "perhaps". Use 1 or 0.'],
  ['NO_VM', '2', 'STXPRESS_NO_VM is "2". Use 1 or 0.'],
  ['RATE', '0', 'STXPRESS_RATE is "0". Use a whole number from 1 to '],
  ['DISCOVER', 'nft', 'STXPRESS_DISCOVER is "nft". Allowed choices are ft.'],
  ['ARCHIVE', 'a.tsv,', 'STXPRESS_ARCHIVE is "". It must not be empty.'],
  ['HOSTS', 'heroku', '--hosts is "heroku"'],
  ['ARCHIVE', '-,-', 'STXPRESS_ARCHIVE is "-". Standard input can be read only once.'],
])('STXPRESS_%s=%s', async (name, value, says) => {
  const command = name === 'HOSTS' ? 'build' : 'index';
  expect(await runWith(command, { env: { [`STXPRESS_${name}`]: value } })).toContain(says);
});

test.each([
  ['build', '{"dbb":"x"}', 'unknown key "dbb". All names are in docs/commands.md.'],
  ['build', '{"PUBLIC_URL":"x"}', 'unknown key "PUBLIC_URL". Did you mean public-url?'],
  ['build', '{"chocolate":"x"}', 'unknown key "chocolate". All names are in docs/commands.md.'],
  ['build', '{"db":', 'is not JSON'],
  ['build', '[]', 'JSON object'],
  ['build', '\ufeff{"db":7}', '"db" in stxpress.config.json needs a string'],
  ['serve', '{"port":"x"}', '"port" in stxpress.config.json needs a number'],
  ['serve', '{"port":70000}', '"port" in stxpress.config.json is "70000". Use a whole number from 0 to 65535.'],
  ['build', '{"only":"nfts"}', '"only" in stxpress.config.json is "nfts". Allowed choices are tokens, ft, nft, sft.'],
  ['build', '{"full":"yes"}', 'needs true or false'],
  // In the configuration file, build and serve share the key "out".
  ['serve', '{"out":"site"}', 'There is no build in site.'],
  ['build', '{"hosts":7}', '"hosts" in stxpress.config.json needs a string or a list of strings'],
  ['serve', '{"host":["nginx"]}', '"host" in stxpress.config.json needs a string: the address to listen on.'],
])('%s with the configuration %s', async (command, config, says) => {
  expect(await runWith(command, { config })).toContain(says);
});
