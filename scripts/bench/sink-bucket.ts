// A bucket that keeps nothing but what publishers keep for themselves: what is measured is the publisher. Prints its
// URL. Usage: node scripts/bench/sink-bucket.ts
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const kept = new Map<string, Buffer>();
const server = createServer(async (request, response) => {
  const { method, headers, url = '' } = request;
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const object = kept.get(url);
  if (method === 'PUT' && headers['if-none-match'] === '*' && object !== undefined) response.statusCode = 412;
  else if (method === 'PUT' && url.includes('/.stxpress/')) kept.set(url, Buffer.concat(chunks));
  else if (method === 'DELETE') kept.delete(url);
  else if (method === 'GET' && !url.includes('?') && object === undefined) response.statusCode = 404;
  response.end(method === 'GET' ? object : undefined);
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
