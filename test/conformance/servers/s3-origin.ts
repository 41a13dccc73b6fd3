// A bucket with the objects of a manifest, as CloudFront sees it: keys are flat, and what is not there is forbidden.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Reply } from './finish-reply.ts';

interface S3Object {
  readonly key: string;
  /** Relative to the output folder. */
  readonly file: string;
  readonly content_type?: string;
  readonly cache_control?: string;
}

/** An object is named by a path, decoded. */
export type S3Origin = (uri: string) => Reply;

const FORBIDDEN =
  '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>';

export function openS3Origin(manifest: string, dist: string): S3Origin {
  const objects = new Map<string, S3Object>();
  for (const line of readFileSync(manifest, 'utf8').split('\n').filter(Boolean)) {
    const object = JSON.parse(line) as S3Object;
    if (objects.has(object.key)) throw new Error(`${manifest} has the key ${object.key} twice`);
    readFileSync(resolve(dist, object.file)); // it must be there when the site is uploaded
    objects.set(object.key, object);
  }
  return (uri) => {
    const object = objects.get(keyOf(uri) ?? '');
    // S3 tells that an object is missing only to those who may list the bucket.
    if (object === undefined) {
      return { status: 403, headers: { 'content-type': 'application/xml' }, body: Buffer.from(FORBIDDEN) };
    }
    return {
      status: 200,
      headers: {
        'content-type': object.content_type ?? 'binary/octet-stream',
        ...(object.cache_control === undefined ? {} : { 'cache-control': object.cache_control }),
      },
      body: readFileSync(resolve(dist, object.file)),
    };
  };
}

function keyOf(uri: string): string | undefined {
  try {
    return decodeURIComponent(uri.slice(1));
  } catch {
    return undefined;
  }
}
