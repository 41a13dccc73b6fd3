// Responses whose chunked encoding is odd, by a description of the oddity.
import { BODY, EMPTY, LENGTH, type OddResponse, OK, raw, TEXT, withHead } from './odd-response.ts';

const HEX = BODY.length.toString(16);
const chunked = (chunks: string, ...fields: readonly string[]) =>
  withHead([OK, 'Transfer-Encoding: chunked', ...fields], Buffer.from(chunks));

export const ODD_CHUNKS: Readonly<Record<string, OddResponse>> = {
  'one chunk': chunked(`${HEX}\r\n${TEXT}\r\n0\r\n\r\n`),
  'a size in capitals, with zeros': chunked(`000${HEX.toUpperCase()}\r\n${TEXT}\r\n00\r\n\r\n`),
  extensions: chunked(`${HEX};a=b;c="d";e\r\n${TEXT}\r\n0;f\r\n\r\n`),
  'extensions with blanks': chunked(`${HEX} ; a = b\r\n${TEXT}\r\n0\r\n\r\n`),
  'a blank after a size': chunked(`${HEX} \r\n${TEXT}\r\n0 \r\n\r\n`),
  'a blank before a size': chunked(` ${HEX}\r\n${TEXT}\r\n0\r\n\r\n`),
  'a size with a prefix': chunked(`0x${HEX}\r\n${TEXT}\r\n0\r\n\r\n`),
  trailers: chunked(`${HEX}\r\n${TEXT}\r\n0\r\nA: b\r\nC: d\r\n\r\n`, 'Trailer: A'),
  'line feeds in chunks': chunked(`${HEX}\n${TEXT}\n0\n\n`),
  'a line feed after a size': chunked(`${HEX}\n${TEXT}\r\n0\r\n\r\n`),
  'a line feed after a chunk': chunked(`${HEX}\r\n${TEXT}\n0\r\n\r\n`),
  'no line end after a chunk': chunked(`${HEX}\r\n${TEXT}0\r\n\r\n`),
  'many chunks': chunked(`${[...TEXT].map((character) => `1\r\n${character}\r\n`).join('')}0\r\n\r\n`),
  'no last chunk': chunked(`${HEX}\r\n${TEXT}\r\n`),
  'no line end after the last chunk': chunked(`${HEX}\r\n${TEXT}\r\n0\r\n`),
  'nothing after the last size': chunked(`${HEX}\r\n${TEXT}\r\n0`),
  'a chunk that is cut': chunked(`${HEX}\r\n${TEXT.slice(0, 20)}`),
  'a length beside chunks': chunked(`${HEX}\r\n${TEXT}\r\n0\r\n\r\n`, 'Content-Length: 5'),
  'no chunks, in spite of the header': chunked(TEXT),
  'chunks and more behind': chunked(`${HEX}\r\n${TEXT}\r\n0\r\n\r\nrubbish`),
  'CHUNKED in capitals': raw(`${OK}\r\nTransfer-Encoding: CHUNKED\r\n\r\n${HEX}\r\n${TEXT}\r\n0\r\n\r\n`, EMPTY),
  'chunked twice': raw(`${OK}\r\nTransfer-Encoding: chunked, chunked\r\n\r\n${HEX}\r\n${TEXT}\r\n0\r\n\r\n`, EMPTY),
  'chunked on two lines': raw(
    `${OK}\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n${HEX}\r\n${TEXT}\r\n0\r\n\r\n`,
    EMPTY,
  ),
  'identity, then chunked': raw(
    `${OK}\r\nTransfer-Encoding: identity, chunked\r\n\r\n${HEX}\r\n${TEXT}\r\n0\r\n\r\n`,
    EMPTY,
  ),
  'identity as a transfer encoding': raw(`${OK}\r\nTransfer-Encoding: identity\r\n${LENGTH}\r\n\r\n`),
  'chunks in HTTP/1.0': raw(
    `HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${HEX}\r\n${TEXT}\r\n0\r\n\r\n`,
    EMPTY,
  ),
  'chunked with blanks': raw(`${OK}\r\nTransfer-Encoding:  chunked \r\n\r\n${HEX}\r\n${TEXT}\r\n0\r\n\r\n`, EMPTY),
};
