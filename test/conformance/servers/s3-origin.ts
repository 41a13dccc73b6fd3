// A bucket that a build was published to, as CloudFront sees it: keys are flat, and what is not there is forbidden.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { objectHeaders } from '#serving/answer-request.ts';
import { SITE_RULES } from '#site/site-rules.ts';
import { filesBelow } from '../../support/sample.ts';
import type { Reply } from './finish-reply.ts';

/** An object is named by a path, decoded. */
export type S3Origin = (uri: string) => Reply;

const FORBIDDEN =
  '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>';

export function openS3Origin(dist: string): S3Origin {
  const objects = new Set(filesBelow(dist));
  return (uri) => {
    const key = keyOf(uri);
    // S3 tells that an object is missing only to those who may list the bucket.
    if (key === undefined || !objects.has(key)) {
      return { status: 403, headers: { 'content-type': 'application/xml' }, body: Buffer.from(FORBIDDEN) };
    }
    const own = objectHeaders(key, SITE_RULES);
    return {
      status: 200,
      headers: { 'content-type': own['Content-Type'], 'cache-control': own['Cache-Control'] },
      body: readFileSync(join(dist, key)),
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
