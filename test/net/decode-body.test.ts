import { constants, createZstdCompress, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { decodeBody } from '#net/decode-body.ts';

/** Returns Zstandard data whose header declares a window of 2 ** `windowLog` bytes, and no content size. */
async function zstdWithWindow(windowLog: number): Promise<Buffer> {
  const stream = createZstdCompress({ params: { [constants.ZSTD_c_windowLog]: windowLog } });
  stream.write('there');
  stream.end();
  return Buffer.concat(await stream.toArray());
}

// Bodies in all encodings are tested in odd-responses.test.ts.

test('rejects a body larger than the limit', async () => {
  await expect(decodeBody(gzipSync('there'), 'gzip', 4)).rejects.toMatchObject({ code: 'ERR_BUFFER_TOO_LARGE' });
});

test('rejects a Zstandard window above 8 MB, which would reserve memory for any body', async () => {
  expect(await decodeBody(await zstdWithWindow(23), 'zstd', 10)).toEqual(Buffer.from('there'));
  await expect(decodeBody(await zstdWithWindow(24), 'zstd', 10)).rejects.toThrow('is not valid zstd');
});
