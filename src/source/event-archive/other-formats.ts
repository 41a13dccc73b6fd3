// Recognizes files in formats that are not read by their first bytes, and names the command that converts them.
import { shellQuote } from '#text/command-line.ts';

export type Compression = 'gzip' | 'zstd';

/**
 * The beginning of the files, what such a file is, and a command. The command reads standard input, or the file that is
 * passed to the function, and writes an archive to standard output.
 */
type Format = readonly [beginning: RegExp, name: string, command: string | ((file: string) => string)];

/** The command for each compression that is read. */
export const DECOMPRESS: Readonly<Record<Compression, string>> = { gzip: 'gzip -dc', zstd: 'zstd -dc --long=31' };
/** The table of events of the Stacks Blockchain API. */
const TABLE = 'event_observer_requests';
const CUT_COPY = String.raw`sed -n '/^COPY [^ ]*${TABLE} /,/^\\\.$/{//!p;}'`;
// An archive whose times have a T has no doubled backslashes.
const COPY_ROW = String.raw`print(r[0], r[1].replace("T", " "), r[2], r[3].replace("\\", "\\\\"), sep="\t")`;
const csvToCopy = (options = '') =>
  "python3 -X utf8 -c 'import csv, sys; csv.field_size_limit(2**31 - 1); " +
  `[${COPY_ROW} for r in csv.reader(sys.stdin${options}) if "/" in r[2]]'`;
const PARQUET_ROWS = `SELECT id, strftime(receive_timestamp, '%Y-%m-%dT%X'), event_path, payload`;
const PARQUET_TO_RAW =
  `duckdb -c "COPY (${PARQUET_ROWS} FROM read_parquet('/dev/stdin') ORDER BY id) ` +
  String.raw`TO '/dev/stdout' (HEADER false, DELIMITER '\t', QUOTE '', ESCAPE '')"`;
const SQLITE_TO_RAW = `"SELECT id, replace(receive_timestamp, ' ', 'T'), event_path, payload FROM ${TABLE} ORDER BY id"`;

/** The beginnings are in hexadecimal. Data within other compressed data may be compressed with gzip or zstd. */
const BINARY_FORMATS: readonly Format[] = [
  [/^1f8b/, 'compressed with gzip', DECOMPRESS.gzip],
  [/^28b52ffd/, 'compressed with zstd', DECOMPRESS.zstd],
  [/^(?:1e|2[2-7])b52ffd/, 'compressed with a version of zstd before 0.8', 'zstd -dc'],
  [/^fd377a585a00/, 'compressed with xz', 'xz -dc'],
  [/^5d0000.{4}(?:f{16}|.{10}0{6})/, 'compressed with lzma', 'xz -dc'],
  [/^425a683[1-9]/, 'compressed with bzip2', 'bzip2 -dc'],
  [/^(?:04224d|02214c)18/, 'compressed with lz4', 'lz4 -dc'],
  [/^1f(?:1e|9d|9e|a0)/, 'compressed with compress or pack', 'gzip -dc'],
  [/^504b(?:0304|0506|0708|3030)/, 'a zip file', (file) => `unzip -p ${file}`],
  [/^377abcaf271c/, 'a 7z file', (file) => `7z x -so ${file}`],
  [/^526172211a07/, 'a rar file', (file) => `unrar p -inul ${file}`],
  [/^.{514}7573746172/, 'a tar file', 'tar -xOf -'],
  [/^(?:fffe|feff)/, 'text in UTF-16', 'iconv -f UTF-16 -t UTF-8'],
  [/^3\d00/, 'text in UTF-16', 'iconv -f UTF-16LE -t UTF-8'],
  [/^5047444d50/, 'a Postgres dump', (file) => `pg_restore -a -t ${TABLE} -f - ${file} | ${CUT_COPY}`],
  [/^50415231/, 'a Parquet file', PARQUET_TO_RAW],
  [/^53514c69746520666f726d6174203300/, 'an SQLite database', (file) => `sqlite3 -tabs ${file} ${SQLITE_TO_RAW}`],
];
const TEXT_FORMATS: readonly Format[] = [
  [/^\ufeff?(?:"?id"?,|"?\d+"?,"?\d{4}-)/, 'CSV', csvToCopy()],
  [/^[^{]*\t"\{/, 'CSV with tabs', csvToCopy(String.raw`, delimiter="\t"`)],
  [/^\ufeff?"?id"?\t/, 'a table with column names', 'tail -n +2'],
  [/^(?:--\r?\n-- PostgreSQL|COPY )/, 'a Postgres dump', CUT_COPY],
];
/** The number of bytes that tell a format. */
const BEGINNING_BYTES = 512;

/** The name of standard input in messages. */
export const STDIN_NAME = 'standard input';

/** Returns an instruction to use a command, which gets a path and writes an archive to standard output. */
export function howToConvert(name: string, command: (file: string) => string, start = 'Convert it'): string {
  const path = name === STDIN_NAME ? 'FILE' : name;
  return `${start}, and pass the result to --archive: ${command(shellQuote(path))} > ${shellQuote(`${path}.tsv`)}`;
}

/**
 * Returns two sentences: the format of a file, and how to convert it; undefined for an unknown format. `beginning` is
 * decompressed if the file has a compression that is read.
 */
export function describeFormat(beginning: Buffer, name: string, compression?: Compression): string | undefined {
  const bytes = beginning.subarray(0, BEGINNING_BYTES);
  const [hex, text] = [bytes.toString('hex'), bytes.toString()];
  const format =
    BINARY_FORMATS.find(([pattern]) => pattern.test(hex)) ?? TEXT_FORMATS.find(([pattern]) => pattern.test(text));
  if (format === undefined) return undefined;
  const [, what, command] = format;
  const convert = (file: string) => (typeof command === 'string' ? `${command} < ${file}` : command(file));
  if (compression === undefined) return `${name} is ${what}. ${howToConvert(name, convert)}`;
  // Without a pipe, the next run names the next command.
  const pipe = typeof command === 'string' ? ` | ${command}` : '';
  const decompress = (file: string) => `${DECOMPRESS[compression]} < ${file}${pipe}`;
  return `${name} is ${what} after decompression. ${howToConvert(name, decompress)}`;
}
